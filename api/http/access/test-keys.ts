/** What a test key may do: one table over all operations of the API. */
import { campaignStream } from '../../../domain/campaigns/campaign.js';
import { contactStream } from '../../../domain/contacts/contact.js';
import { jobStream } from '../../../domain/jobs/job.js';
import { enrollmentStream } from '../../../domain/journeys/enrollment.js';
import { journeyStream } from '../../../domain/journeys/journey.js';
import { messageStream } from '../../../domain/messages/message.js';

/** The streams of what test keys make and may change afterward, while only test keys have written them. */
export const ownStreams = {
  campaign: campaignStream,
  contact: contactStream,
  enrollment: enrollmentStream,
  job: jobStream,
  journey: journeyStream,
  message: messageStream,
} as const;
export type OwnResource = keyof typeof ownStreams;

/**
 * `allowed`: it reads, or changes nothing that is live. `sandbox`: what follows from it is of the test key, too, and reaches the sandbox
 * alone. `own`: the same, for what test keys have made; anything live is refused. `refused`: it would change what is live.
 */
export type TestKeyRule = 'allowed' | 'sandbox' | 'refused' | { readonly own: OwnResource };

const own = (resource: OwnResource): TestKeyRule => ({ own: resource });

/** By the id of the operation. Public operations and those of the operator have no key. A spec lists what is missing. */
const rules: Readonly<Record<string, TestKeyRule>> = {
  // Keys, users, settings: a test key makes test keys, and nothing that outlives or exceeds it.
  getMe: 'allowed',
  getOverview: 'allowed',
  listActivity: 'allowed',
  createApiKey: 'sandbox',
  listApiKeys: 'allowed',
  revokeApiKey: 'refused',
  getSettings: 'allowed',
  updateSettings: 'refused',
  refreshToken: 'allowed',
  // Sessions and passwords are users' own.
  getSession: 'refused',
  signOut: 'refused',
  listSessions: 'refused',
  endSession: 'refused',
  changePassword: 'refused',
  prepareSecondFactor: 'refused',
  confirmSecondFactor: 'refused',
  turnOffSecondFactor: 'refused',
  listUsers: 'allowed',
  getUser: 'allowed',
  createUser: 'refused',
  inviteUser: 'refused',
  updateUser: 'refused',
  deleteUser: 'refused',
  // Messages.
  sendMessage: 'sandbox',
  sendMessages: 'sandbox',
  cancelMessage: own('message'),
  listMessages: 'allowed',
  getMessage: 'allowed',
  listMessageEvents: 'allowed',
  explainMessage: 'allowed',
  getBatch: 'allowed',
  getAnalytics: 'allowed',
  listInboundMessages: 'allowed',
  getInboundMessage: 'allowed',
  listSandboxMessages: 'allowed',
  listSendingDomains: 'allowed',
  checkSendingDomain: 'allowed',
  // A text that says STOP suppresses the number.
  simulateInboundMessage: 'refused',
  // Contacts. The commands refuse each live contact that they would change.
  upsertContact: 'sandbox',
  importContacts: 'sandbox',
  previewContactImport: 'sandbox',
  listContacts: 'allowed',
  getContact: 'allowed',
  getContactTimeline: 'allowed',
  updateContact: own('contact'),
  deleteContact: own('contact'),
  mergeContacts: 'refused',
  unmergeContacts: 'refused',
  eraseContact: 'refused',
  exportContacts: 'refused',
  bulkChangeContacts: 'refused',
  listContactImports: 'allowed',
  getContactImport: 'allowed',
  listContactImportErrors: 'allowed',
  cancelContactImport: own('job'),
  revertContactImport: 'refused',
  // Fields are of all contacts.
  listCustomFields: 'allowed',
  getCustomField: 'allowed',
  createCustomField: 'refused',
  updateCustomField: 'refused',
  deleteCustomField: 'refused',
  // Consent and suppressions.
  getConsents: 'allowed',
  listConsentHistory: 'allowed',
  exportConsents: 'refused',
  recordConsent: own('contact'),
  listSuppressions: 'allowed',
  getSuppression: 'allowed',
  listSuppressionHistory: 'allowed',
  suppressAddress: 'refused',
  importSuppressions: 'refused',
  liftSuppression: 'refused',
  // Events. Those of live contacts count for nothing but tests.
  recordEvent: 'sandbox',
  recordEvents: 'sandbox',
  listEvents: 'allowed',
  getEvent: 'allowed',
  // Lists, segments, templates: what a test key has made may be in live use since, so it changes none.
  listLists: 'allowed',
  getList: 'allowed',
  createList: 'sandbox',
  updateList: 'refused',
  deleteList: 'refused',
  listMembers: 'allowed',
  addMembers: 'sandbox',
  removeMember: own('contact'),
  resubscribeMember: own('contact'),
  resendConfirmation: own('contact'),
  listSegments: 'allowed',
  getSegment: 'allowed',
  createSegment: 'sandbox',
  updateSegment: 'refused',
  deleteSegment: 'refused',
  previewSegment: 'allowed',
  listSegmentContacts: 'allowed',
  explainSegmentMembership: 'allowed',
  getSegmentHistory: 'allowed',
  listContactSegments: 'allowed',
  listTemplates: 'allowed',
  getTemplate: 'allowed',
  listTemplateVersions: 'allowed',
  listTemplateVariables: 'allowed',
  createTemplate: 'sandbox',
  updateTemplate: 'refused',
  deleteTemplate: 'refused',
  renderTemplate: 'allowed',
  listTemplatePartials: 'allowed',
  getTemplatePartial: 'allowed',
  // Templates name partials, also those that do not exist yet.
  storeTemplatePartial: 'refused',
  deleteTemplatePartial: 'refused',
  // Campaigns.
  listCampaigns: 'allowed',
  getCampaign: 'allowed',
  createCampaign: 'sandbox',
  updateCampaign: own('campaign'),
  deleteCampaign: own('campaign'),
  duplicateCampaign: 'sandbox',
  testSendCampaign: 'sandbox',
  scheduleCampaign: own('campaign'),
  sendCampaign: own('campaign'),
  pauseCampaign: own('campaign'),
  resumeCampaign: own('campaign'),
  cancelCampaign: own('campaign'),
  getCampaignAudience: 'allowed',
  getCampaignStats: 'allowed',
  listCampaignLinks: 'allowed',
  listCampaignRecipients: 'allowed',
  // Journeys.
  listJourneys: 'allowed',
  getJourney: 'allowed',
  createJourney: 'sandbox',
  updateJourney: own('journey'),
  deleteJourney: own('journey'),
  publishJourney: 'refused',
  pauseJourney: 'refused',
  resumeJourney: 'refused',
  stopJourney: 'refused',
  archiveJourney: 'refused',
  enrollContact: 'sandbox',
  testJourney: 'sandbox',
  exitEnrollment: own('enrollment'),
  listEnrollments: 'allowed',
  listContactEnrollments: 'allowed',
  getEnrollment: 'allowed',
  explainJourney: 'allowed',
  getJourneyStats: 'allowed',
  drawJourney: 'allowed',
  simulateJourney: 'sandbox',
  listJourneyTemplates: 'allowed',
  getJourneyTemplate: 'allowed',
  listJourneyVersions: 'allowed',
  getJourneyVersion: 'allowed',
  compareJourneyVersions: 'allowed',
  // Forms are public pages: whoever submits one is a person.
  listForms: 'allowed',
  getForm: 'allowed',
  listFormVersions: 'allowed',
  createForm: 'refused',
  updateForm: 'refused',
  deleteForm: 'refused',
  listFormSubmissions: 'allowed',
  getFormStats: 'allowed',
  exportFormSubmissions: 'refused',
  // Inboxes and devices are people's own.
  listInboxMessages: 'allowed',
  getInboxCounts: 'allowed',
  streamInbox: 'allowed',
  streamChanges: 'allowed',
  // Views are seen by people of the account.
  listViews: 'allowed',
  getView: 'allowed',
  createView: 'refused',
  updateView: 'refused',
  deleteView: 'refused',
  createInboxToken: 'refused',
  markInboxSeen: 'refused',
  markInboxRead: 'refused',
  archiveInbox: 'refused',
  seeInboxMessage: 'refused',
  readInboxMessage: 'refused',
  unreadInboxMessage: 'refused',
  archiveInboxMessage: 'refused',
  unarchiveInboxMessage: 'refused',
  clickInboxMessage: 'refused',
  listPushSubscriptions: 'allowed',
  endPushSubscription: 'refused',
  // Scores.
  getContactScores: 'allowed',
  listScores: 'allowed',
  getScoreDistribution: 'allowed',
  drawScoreDistribution: 'allowed',
  drawScoreReliability: 'allowed',
  refitScores: 'refused',
  // Webhook endpoints. A ping says what it is.
  listWebhookEndpoints: 'allowed',
  getWebhookEndpoint: 'allowed',
  createWebhookEndpoint: 'refused',
  updateWebhookEndpoint: 'refused',
  deleteWebhookEndpoint: 'refused',
  rotateWebhookEndpointSecret: 'refused',
  testWebhookEndpoint: 'allowed',
  replayToEndpoint: 'refused',
  listEndpointDeliveries: 'allowed',
  getEndpointDelivery: 'allowed',
  redeliverToEndpoint: 'refused',
  listWebhookDeliveries: 'allowed',
  getWebhookDelivery: 'allowed',
  redeliverWebhook: own('message'),
  // Jobs. The result of a job may be an export.
  listJobs: 'allowed',
  getJob: 'allowed',
  listJobErrors: 'allowed',
  downloadJobResult: own('job'),
  cancelJob: own('job'),
};

export const testKeyRules: ReadonlyMap<string, TestKeyRule> = new Map(Object.entries(rules));

interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly access: string;
}

/** Null where no key calls the operation. One that the table does not know is refused, unless it reads. */
export function testKeyRuleOf({ operationId, method, access }: Operation): TestKeyRule | null {
  if (access === 'public' || access === 'operator') return null;
  return testKeyRules.get(operationId) ?? (method === 'GET' ? 'allowed' : 'refused');
}

/** Whether a test key can get `forbidden`: for the operation, or for something live that it would change. */
export const mayRefuseTestKey = (operation: Operation): boolean => !['allowed', null].includes(testKeyRuleOf(operation) as string | null);

/** For the documentation; empty where nothing need be said. */
export function testKeyTerms(operation: Operation): string {
  const rule = testKeyRuleOf(operation);
  if (rule === 'refused') return 'Refused to test keys (`forbidden`).';
  if (rule === 'sandbox') return 'What follows from it by a test key reaches the sandbox only.';
  if (rule === null || rule === 'allowed') return '';
  return `A test key may do it to what test keys have made; what follows reaches the sandbox only. A live ${rule.own} is refused (\`forbidden\`).`;
}
