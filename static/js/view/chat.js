// @ts-check
/** What one can say: phrases, and a text where the house allows it; and not hearing the others. */
import { PHRASES, TEXT_LENGTH } from '../protocol.js';
import { t } from '../i18n.js';
import { h } from './dom.js';
import { switchButton } from './switch.js';

/** @typedef {import('../intents.js').Intents} Intents */

/** @param {Intents} intents */
const drawPhrases = (intents) =>
  h(
    'div',
    { class: 'phrases' },
    PHRASES.map((phrase, i) =>
      h(
        'button',
        {
          type: 'button',
          class: 'menu-item',
          'data-phrase': phrase,
          'data-first': i === 0,
          onclick: () => intents.say({ phrase }),
        },
        t(`phrase.${phrase}`),
      ),
    ),
  );

/** The line one writes on; what is on it stays while the dialog is drawn anew. @param {Intents} intents */
function buildForm(intents) {
  const input = h('input', {
    type: 'text',
    'aria-label': t('chat.text'),
    'aria-describedby': 'chat-length',
    placeholder: t('chat.text'),
    autocomplete: 'off',
    'data-key': 'chat-text',
    'data-testid': 'chat-text',
  });
  const length = h('small', { id: 'chat-length', class: 'length' });
  const send = h(
    'button',
    { type: 'submit', class: 'button primary', 'data-testid': 'chat-send' },
    t('chat.send'),
  );
  /** Characters as the server counts them. */
  function count() {
    const { length: n } = [...input.value.trim()];
    length.textContent = t('chat.length', { n, of: TEXT_LENGTH });
    length.classList.toggle('over', n > TEXT_LENGTH);
    send.disabled = n === 0 || n > TEXT_LENGTH;
  }
  /** @param {Event} event */
  function onsubmit(event) {
    event.preventDefault();
    intents.say({ text: input.value.trim() });
    input.value = '';
    count();
  }
  input.addEventListener('input', count);
  count();
  return h('form', { class: 'chat-form', onsubmit }, input, send, length);
}

/** @param {boolean} muted @param {Intents} intents */
export const muteSwitch = (muted, intents) =>
  switchButton('mute', t('chat.mute'), t('chat.mute.small'), muted, intents.mute);

/** @param {Intents} intents */
export function chatPart(intents) {
  const form = buildForm(intents);
  /** @param {{freeText: boolean, muted: boolean}} slice */
  return ({ freeText, muted }) => [
    h('h2', { id: 'dialog-title' }, t('chat.title')),
    freeText && form,
    drawPhrases(intents),
    muteSwitch(muted, intents),
  ];
}
