import { KEPT_CHARACTERS } from '../../domain/messages/inbound-email.js';
import type { CarrierReport } from './record-report.js';

/** Reports that came with one request. */
export type Reports = readonly [CarrierReport, ...CarrierReport[]];

/** `same_raw`: a receipt has the raw text of the first one. All receipts of a mail have the same. */
type Further = CarrierReport & { readonly same_raw?: true };

/** What is stored of reports, as JSON: the first one, and the others in `more`. */
export function keptFields([first, ...others]: Reports): { carrier: string; kind: CarrierReport['kind']; report: string; more?: string } {
  const raw = rawOf(first);
  const more = others.map((report): Further => {
    if (report.kind !== 'receipt' || raw === undefined || rawOf(report) !== raw) return shortened(report);
    const { raw: _, ...receipt } = report.receipt;
    return { ...report, receipt, same_raw: true };
  });
  const report = JSON.stringify(shortened(first));
  return { carrier: carrierOf(first), kind: first.kind, report, ...(more.length > 0 && { more: JSON.stringify(more) }) };
}

/** The reports of what is stored. */
export function keptReports({ report, more }: { readonly report: string; readonly more?: string | undefined }): Reports {
  const first = JSON.parse(report) as CarrierReport;
  const raw = rawOf(first);
  const others = more === undefined ? [] : (JSON.parse(more) as Further[]);
  return [
    first,
    ...others.map(({ same_raw, ...one }): CarrierReport => {
      if (!same_raw || one.kind !== 'receipt' || raw === undefined) return one as CarrierReport;
      return { ...one, receipt: { ...one.receipt, raw } } as CarrierReport;
    }),
  ];
}

const rawOf = (report: CarrierReport): string | undefined => (report.kind === 'receipt' ? report.receipt.raw : undefined);

const carrierOf = (report: CarrierReport): string =>
  report.kind === 'text' ? report.report.carrier : report.kind === 'email' ? report.carrier : report.receipt.carrier;

/** No more of an email than is recorded. */
const shortened = (report: CarrierReport): CarrierReport => {
  if (report.kind !== 'email') return report;
  const startOf = (value: string): string => value.slice(0, KEPT_CHARACTERS).toWellFormed();
  return { ...report, text: startOf(report.text), html: report.html === null ? null : startOf(report.html) };
};
