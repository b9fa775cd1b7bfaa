// @ts-check
/** The record of a round, open to everybody. */
import * as api from './api.js';
import { t } from './i18n.js';
import { checkProof } from './proof.js';
import { errorText } from './refusals.js';
import { mountRecord } from './view/record.js';
import { showRefusal } from './view/signin.js';

export async function start() {
  document.title = t('title.replay');
  const id = decodeURIComponent(location.pathname.split('/')[2] ?? '');
  try {
    const record = await api.fetchRecord(id);
    mountRecord(document.body, record, await checkProof(record.proof));
  } catch (error) {
    showRefusal(errorText(error), t('end.to_lobby'), () => location.assign('/'));
  }
}
