import { expect } from 'chai';
import { type ImportOptions, zeroCounts, zeroReverted } from '../../domain/contacts/import.js';
import { type ImportEvent, type LegacyImport, type LegacyImportCommand, legacyImport } from '../../domain/contacts/legacy-import.js';
import { specification } from '../given.js';

const { given } = specification(legacyImport);
const now = '2026-01-15T12:00:00.000Z';
const about = { import_id: 'job_1', at: now };
const options: ImportOptions = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null };
const counts = { ...zeroCounts, created: 3, failed: 1 };
const reverted = { ...zeroReverted, deleted: 3 };

const abandon: LegacyImportCommand = { type: 'Abandon', now };
const cancel: LegacyImportCommand = { type: 'Cancel', now };
const finish = (chunks: number): LegacyImportCommand => ({ type: 'Finish', chunks, counts, errors: 1, now });
const forget: LegacyImportCommand = { type: 'Forget', now };
const revert: LegacyImportCommand = { type: 'Revert', now };
const finishRevert: LegacyImportCommand = { type: 'FinishRevert', reverted, now };

const begun: ImportEvent = { type: 'ImportBegun', data: { ...options, ...about } };
const accepted: ImportEvent = { type: 'ImportAccepted', data: { ...about, total: 4, chunks: 2, by: 'process' } };
const cancelRequested: ImportEvent = { type: 'ImportCancelRequested', data: about };
const finished = (status: 'completed' | 'canceled', chunks: number): ImportEvent => ({
  type: 'ImportFinished',
  data: { ...about, status, chunks, counts, errors: 1 },
});
const abandoned: ImportEvent = { type: 'ImportFinished', data: { ...about, status: 'abandoned', chunks: 0, counts: zeroCounts, errors: 0 } };
const rowsForgotten: ImportEvent = { type: 'ImportRowsForgotten', data: about };
const revertRequested: ImportEvent = { type: 'ImportRevertRequested', data: about };
const importReverted: ImportEvent = { type: 'ImportReverted', data: { ...about, reverted } };

/** The events after which an import has a status. */
const pasts: Readonly<Record<Exclude<LegacyImport['status'], 'new'>, readonly ImportEvent[]>> = {
  receiving: [begun],
  abandoned: [begun, abandoned],
  running: [begun, accepted],
  canceling: [begun, accepted, cancelRequested],
  completed: [begun, accepted, finished('completed', 2)],
  canceled: [begun, accepted, cancelRequested, finished('canceled', 1)],
  reverting: [begun, accepted, finished('completed', 2), revertRequested],
  reverted: [begun, accepted, finished('completed', 2), revertRequested, importReverted],
};
type Status = keyof typeof pasts;
const statuses = Object.keys(pasts) as Status[];
const others = (...some: Status[]): Status[] => statuses.filter((status) => !some.includes(status));

describe('an import that was accepted before imports were jobs', () => {
  for (const status of statuses)
    it(`is ${status} after its events`, () => expect(given(...pasts[status]).state()).to.include({ status, id: 'job_1', created_at: now }));

  it('changes nothing before it begins', () => {
    for (const command of [abandon, cancel, finish(2), forget, revert, finishRevert]) given().when(command).thenNothing();
  });

  describe('Abandon', () => {
    it('ends an import whose rows have not all arrived', () => given(begun).when(abandon).then(abandoned));
    for (const status of others('receiving'))
      it(`changes nothing when the import is ${status}`, () =>
        given(...pasts[status])
          .when(abandon)
          .thenNothing());
  });

  describe('Cancel', () => {
    it('asks a running import to stop', () =>
      given(...pasts.running)
        .when(cancel)
        .then(cancelRequested));
    for (const status of ['canceling', 'canceled'] as const)
      it(`changes nothing when the import is ${status}`, () =>
        given(...pasts[status])
          .when(cancel)
          .thenNothing());
    it('changes nothing when a canceled import is being reverted', () =>
      given(...pasts.canceled, revertRequested)
        .when(cancel)
        .thenNothing());
    for (const status of others('running', 'canceling', 'canceled'))
      it(`refuses an import that is ${status} with invalid_state`, () =>
        given(...pasts[status])
          .when(cancel)
          .thenRefused('invalid_state', { current: status, allowed: ['running'] }));
  });

  describe('Finish', () => {
    it('completes a running import', () =>
      given(...pasts.running)
        .when(finish(2))
        .then(finished('completed', 2)));
    it('completes an import that was canceled after its last chunk', () =>
      given(...pasts.canceling)
        .when(finish(2))
        .then(finished('completed', 2)));
    it('cancels an import that stops before its last chunk', () =>
      given(...pasts.canceling)
        .when(finish(1))
        .then(finished('canceled', 1)));
    for (const status of others('running', 'canceling'))
      it(`changes nothing when the import is ${status}`, () =>
        given(...pasts[status])
          .when(finish(2))
          .thenNothing());
    it('keeps the counts', () => expect(given(...pasts.completed).state()).to.deep.include({ outcome: 'completed', done: 2, counts, errors: 1 }));
  });

  describe('Forget', () => {
    for (const status of ['abandoned', 'completed', 'canceled', 'reverting', 'reverted'] as const) {
      it(`records that the rows of an import that is ${status} are destroyed`, () =>
        given(...pasts[status])
          .when(forget)
          .then(rowsForgotten));
      it(`records it once when the import is ${status}`, () =>
        given(...pasts[status], rowsForgotten)
          .when(forget)
          .thenNothing());
    }
    for (const status of ['receiving', 'running', 'canceling'] as const)
      it(`keeps the rows of an import that is ${status}`, () =>
        given(...pasts[status])
          .when(forget)
          .thenNothing());
  });

  describe('Revert', () => {
    for (const status of ['completed', 'canceled'] as const)
      it(`starts to revert an import that is ${status}`, () =>
        given(...pasts[status])
          .when(revert)
          .then(revertRequested));
    for (const status of ['reverting', 'reverted'] as const)
      it(`changes nothing when the import is ${status}`, () =>
        given(...pasts[status])
          .when(revert)
          .thenNothing());
    for (const status of others('completed', 'canceled', 'reverting', 'reverted'))
      it(`refuses an import that is ${status} with invalid_state`, () =>
        given(...pasts[status])
          .when(revert)
          .thenRefused('invalid_state', { current: status, allowed: ['completed', 'canceled'] }));
  });

  describe('FinishRevert', () => {
    it('ends the revert', () =>
      given(...pasts.reverting)
        .when(finishRevert)
        .then(importReverted));
    it('keeps what was reverted', () => expect(given(...pasts.reverted).state()).to.deep.include({ reverted, reverted_at: now }));
    for (const status of others('reverting'))
      it(`changes nothing when the import is ${status}`, () =>
        given(...pasts[status])
          .when(finishRevert)
          .thenNothing());
  });
});
