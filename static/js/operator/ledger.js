// @ts-check
/** 帳本: the proof of the whole ledger, asked for now. */
import { formatNumber, t } from '../i18n.js';
import { h } from '../view/dom.js';
import * as house from './house.js';
import { button, facts } from './parts.js';

const COUNTS = ['accounts', 'postings', 'entries', 'rounds', 'users', 'issued', 'held'];

/** @param {any} report */
const drawReport = (report) => [
  h('p', { class: `op-verdict ${report.ok ? 'ok' : 'broken'}`, role: 'status', 'data-testid': 'proof' }, report.ok ? t('op.ledger.ok') : t('op.ledger.broken', { check: report.fault.check })),
  report.fault && h('pre', {}, JSON.stringify(report.fault.row, null, 2)),
  facts(COUNTS.map((name) => [t(`op.ledger.${name}`), formatNumber(report[name])])),
];

/** @param {HTMLElement} host */
export function show(host) {
  const result = h('div', { class: 'op-loaded' });
  const go = button('prove', t('op.ledger.do'), async () => {
    go.disabled = true;
    result.replaceChildren(h('p', { role: 'status' }, t('op.ledger.busy')));
    try {
      result.replaceChildren(h('div', {}, drawReport(await house.proveLedger())));
    } finally {
      go.disabled = false;
    }
  });
  host.append(h('p', { class: 'op-note' }, t('op.ledger.note')), go, result);
}
