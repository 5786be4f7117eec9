import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { resolve, type Schema } from '../../service/body-faults/schema-faults.js';
import { type Document, operationsWithBody, type WriteRoute, writeRoutes } from '../../service/body-faults/write-routes.js';
import { type FreeText, MARK, type MarkedBody, marking } from '../../service/free-texts.js';
import { type Installation, serviceInMemory, serviceOverFiles } from '../../service/installations.js';
import { CONTACTS_CSV, EMAIL, type Given, markedBodies, SUPPRESSIONS_CSV } from '../../service/marked-bodies.js';
import { eventually } from '../../support/eventually.js';
import type { Reply } from '../../support/service.js';

/** Operations about the account and its settings: they are not about a person who can be erased. */
const OF_THE_ACCOUNT: ReadonlySet<string> = new Set([
  ...['signIn', 'refreshToken', 'createApiKey', 'createUser', 'updateUser', 'updateSettings'],
  ...['createSession', 'changePassword', 'confirmSecondFactor', 'turnOffSecondFactor', 'requestPasswordReset', 'resetPassword'],
  ...['inviteUser', 'acceptInvitation'],
  ...['createCustomField', 'updateCustomField', 'createList', 'updateList', 'createWebhookEndpoint', 'updateWebhookEndpoint'],
  ...[
    'createTemplate',
    'updateTemplate',
    'storeTemplatePartial',
    'createSegment',
    'updateSegment',
    'createCampaign',
    'updateCampaign',
    'duplicateCampaign',
    'createJourney',
    'updateJourney',
    'publishJourney',
    'createForm',
    'createView',
    'updateView',
    'updateForm',
  ],
]);
/** Operations whose texts are ids and tokens that the service has made. */
const WITHOUT_FREE_TEXTS: ReadonlySet<string> = new Set([
  // They name a subscription that exists.
  ...['unsubscribeFromPush', 'reportPushEvent'],
  // A preview stores nothing.
  'renderTemplate',
  // Their texts are addresses, and need a campaign; a test is stored as any message is.
  ...['scheduleCampaign', 'testSendCampaign'],
  ...['createInboxToken', 'mergeContacts', 'unmergeContacts', 'confirmListMembership', 'confirmFormSubmission', 'unsubscribe', 'savePreferences'],
  'exportFormSubmissions',
  // A dry run stores nothing.
  'testJourney',
  'simulateJourney',
]);
/** Mail systems call it with a password of their own, and it stores nothing of a mail that names no message. */
const WITH_OTHER_CREDENTIALS: ReadonlySet<string> = new Set(['receiveMail']);

const MAX_TRIES = 8;
/** What a store holds of a marker even where it leaves out what two texts have in common at their beginning or end. */
const coreOf = (marker: string): string => marker.slice(8, -8);

for (const [where, start] of Object.entries({ files: serviceOverFiles, memory: serviceInMemory }))
  describe(`what callers wrote about a person, over ${where},`, () => {
    let service: Installation;
    let document: Document;
    const texts = new Map<string, FreeText>();
    let count = 0;
    const newMarker = () => `m${createHash('sha256').update(String(++count)).digest('hex').slice(0, 27)}`;

    before(async () => {
      service = await start();
      document = (await service.api('GET', '/v1/openapi.json')).body;
    });
    after(() => service.close());

    const schemaOf = (id: string): Schema | undefined => {
      const operation = operationsWithBody(document).find(([, , { operationId }]) => operationId === id)?.[2];
      const { schema } = operation?.requestBody?.content['application/json'] ?? {};
      const [form] = schema ? (schema.anyOf ?? [schema]) : [];
      return form && resolve(form, document.components.schemas);
    };

    /** Writes a body with markers. */
    async function write({ operationId, method, path }: WriteRoute, schema: Schema, { body, keep }: Given): Promise<void> {
      const marked = marking(document.components.schemas, newMarker)(schema, body, new Set(keep));
      const reply = await service.api(method, path, marked.body, { 'Idempotency-Key': newText(`${operationId} Idempotency-Key`) });
      expectTaken(operationId, reply);
      remember(operationId, marked.texts);
    }

    /** The same for an operation of which nothing is known: a field that a rule refuses keeps what it has. */
    async function tryToWrite({ operationId, method, path, body }: WriteRoute, schema: Schema): Promise<void> {
      const keep = new Set<string>();
      for (let tries = 1; ; tries++) {
        const marked = marking(document.components.schemas, newMarker)(schema, body, keep);
        const reply = await service.api(method, path, marked.body);
        if (reply.status < 300) return remember(operationId, marked.texts);
        expect(tries, `${operationId}: ${reply.text}`).to.be.below(MAX_TRIES);
        for (const { field } of reply.body.errors ?? []) keep.add(field).add(field.replace(/\[\d+\]$/, ''));
      }
    }

    function expectTaken(what: string, { status, text, body }: Reply): void {
      expect(status, `${what}: ${text}`).to.be.below(300);
      const refused = [body.errors, body.messages].flat().filter((one) => one?.code !== undefined || one?.errors !== undefined);
      expect(refused, `${what}: ${text}`).to.deep.equal([]);
    }

    /** A marker outside of bodies. */
    function newText(field: string): string {
      const marker = newMarker();
      texts.set(marker, { field, documented: false });
      return marker;
    }

    const remember = (operation: string, marked: MarkedBody['texts']): void => {
      for (const [marker, { field, documented }] of marked) texts.set(marker, { field: `${operation} ${field}`, documented });
    };

    const marked = (field: string, content: string): string => content.replaceAll(MARK, () => newText(field));

    async function writeFiles(): Promise<void> {
      const form = new FormData();
      form.append(
        'options',
        JSON.stringify({ mapping: { email: 'email', first_name: 'first_name', last_name: 'last_name', note: 'custom_fields.note' } }),
      );
      form.append(
        'file',
        new Blob([marked('importContacts file', CONTACTS_CSV)], { type: 'text/csv' }),
        `${newText('importContacts name of the file')}.csv`,
      );
      const uploaded = await fetch(`${service.url}/v1/contacts/import`, { method: 'POST', body: form, headers: { 'X-API-Key': service.key } });
      expect(await uploaded.json()).to.include({ status: 'completed', processed: 1, error_count: 0 });
      const csv = { 'Content-Type': 'text/csv' };
      const path = `/v1/account/unsubscribes/api/import?source=${newText('importSuppressions source of the query')}`;
      expectTaken('importSuppressions', await service.api('POST', path, marked('importSuppressions file', SUPPRESSIONS_CSV), csv));
    }

    async function askToConfirm(): Promise<void> {
      const { body } = await service.api('POST', '/v1/lists', { name: 'Letters', opt_in: 'double' });
      const asked = await service.api('POST', `/v1/lists/${body.id}/contacts`, { emails: [EMAIL], source: newText('addMembers source, to confirm') });
      expect(asked.body.added, asked.text).to.have.length(1);
    }

    it('is nowhere any more after an erasure, but in fields that say that they are not encrypted', async () => {
      const routes = await writeRoutes(service, document);
      await service.api('POST', '/v1/custom-fields', { key: 'note', label: 'Note', type: 'string', pii: true });
      for (const route of routes) {
        const schema = schemaOf(route.operationId);
        if (
          !schema ||
          WITH_OTHER_CREDENTIALS.has(route.operationId) ||
          OF_THE_ACCOUNT.has(route.operationId) ||
          WITHOUT_FREE_TEXTS.has(route.operationId)
        )
          continue;
        const known = markedBodies[route.operationId];
        if (!known) await tryToWrite(route, schema);
        for (const given of known ?? []) await write(route, schema, given);
      }
      await writeFiles();
      await askToConfirm();
      await eraseEverybody();
      const left = [...texts].filter(([, { documented }]) => !documented).map(([marker, { field }]) => ({ core: coreOf(marker), field }));
      const found = (await service.stopped()).flatMap(({ place, text }) =>
        left.filter(({ core }) => text.includes(core)).map(({ field }) => `${field} in ${place}`),
      );
      expect([...texts.values()].map(({ field }) => field)).to.include.members([
        ...['sendMessage message', 'sendMessage webhook_url', 'sendMessage metadata.*', 'upsertContact first_name', 'recordEvent properties.*'],
        ...['recordConsent proof.text', 'recordConsent source', 'simulateInboundMessage text', 'liftSuppression reason', 'suppressAddress source'],
        ...['addMembers source', 'resubscribeMember reason', 'importSuppressions source', 'importContacts consent.source'],
      ]);
      expect(found.sort()).to.deep.equal([]);
    });

    async function eraseEverybody(): Promise<void> {
      const { body } = await service.api('GET', '/v1/contacts?limit=200');
      const suppressed = await service.api('POST', '/v1/contacts', { email: 'suppressed@example.com' });
      for (const { id } of [...body.data, suppressed.body])
        await eventually('the person is erased', async () => (await service.api('POST', `/v1/contacts/${id}/erase`)).body.status === 'completed');
      await service.caughtUp();
    }
  });
