import { campaignCancel, campaignSend } from '../../commands/campaigns/campaign-kinds.js';
import { contactBulk } from '../../commands/contacts/bulk-kind.js';
import { contactExport } from '../../commands/contacts/export-contacts.js';
import { contactImport, contactImportDryRun, contactImportRevert } from '../../commands/contacts/import-kinds.js';
import { submissionExport } from '../../commands/forms/export-submissions.js';
import type { AnyJobKind } from '../../commands/jobs/kind.js';
import { journeySimulation } from '../../commands/journeys/simulate-journey.js';
import { contactScoring, scoreFit } from '../../commands/scores/score-kinds.js';
import { webhookReplay } from '../../commands/webhooks/replay-kind.js';

/** Every kind of job. A new one adds a line. `exportKeepMs`: how long the result of an export can be read. `replayPending`: unmade attempts of a replay. */
export const createJobKinds = (exportKeepMs = contactExport.keepMs, replayPending?: number): readonly AnyJobKind[] => [
  contactImport,
  contactImportRevert,
  contactImportDryRun(),
  contactBulk,
  { ...contactExport, keepMs: exportKeepMs },
  { ...submissionExport, keepMs: exportKeepMs },
  webhookReplay(replayPending),
  campaignSend,
  campaignCancel,
  scoreFit,
  contactScoring,
  journeySimulation,
];
