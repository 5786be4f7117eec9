import Type from 'typebox';
import { type FieldProblem, invalidRequest } from '../../domain/kernel/errors.js';
import { boundedText, list, optional, text } from '../../domain/kernel/schema.js';
import { message, messageStream } from '../../domain/messages/message.js';
import { loadCampaign } from '../../log/aggregates/campaigns/load-campaign.js';
import { internationalProblems } from '../messages/email-fields.js';
import { checkAcceptanceGates } from '../messages/gates.js';
import { completeRequest, parseMessageRequest, type ReadRequest } from '../messages/parse-request.js';
import { findRecipients } from '../messages/recipient-contacts.js';
import { missingSenderProblems, withAccountSender } from '../messages/route-problems.js';
import { separateContent, storeContent } from '../messages/store-content.js';
import { type Context, command } from '../runtime/command.js';
import { withLocale } from '../templates/scope.js';
import { renderedContentOf } from './content-sources.js';
import { contactVariables } from './make-messages.js';

export interface TestMessage {
  readonly id: string;
  readonly to: string;
  readonly status: string;
}

const TEST_TAG = 'campaign-test';

/**
 * Sends the content of a campaign to a few addresses, with the data of a contact. The messages are transactional and do not belong to
 * the campaign: they count nowhere. Throws `not_found`, `validation_error`.
 */
export const sendCampaignTest = command({
  name: 'SendCampaignTest',
  input: Type.Object({ campaign_id: text, to: list(text), contact_id: optional(text), variant: optional(boundedText({})), locale: optional(text) }),

  async handle({ campaign_id, to, contact_id, variant, locale }, context): Promise<{ messages: TestMessage[] }> {
    const { account } = context.cause;
    const { definition } = await loadCampaign(context.log, account, campaign_id);
    const problems: FieldProblem[] = [];
    if (variant !== undefined && !definition.variants.some(({ key }) => key === variant))
      problems.push({ field: 'variant', code: 'not_found', message: 'The campaign has no such variant.' });
    const [contact = null] = contact_id === undefined ? [] : await context.ports.campaigns.reads.contacts(account, [contact_id]);
    if (contact_id !== undefined && !contact) problems.push({ field: 'contact_id', code: 'not_found', message: 'There is no such contact.' });
    const ofContact = {
      contact: contact ? contactVariables(contact) : {},
      campaign: { id: campaign_id, name: definition.name },
      account: await context.ports.templates.accountValues(account),
      data: definition.content.data ?? {},
      now: context.now,
    };
    const variables = locale === undefined ? ofContact : withLocale(ofContact, locale);
    const { arithmetic, ...contents } = renderedContentOf(definition, variant ?? definition.variants[0]?.key ?? null);
    const rendered = await context.ports.templates.render(account, definition.channel, { ...contents, arithmetic }, variables);
    if ('problem' in rendered) problems.push({ field: 'content', code: 'invalid_message', message: rendered.problem });
    const content = 'content' in rendered ? rendered.content : contents;
    const requests = await Promise.all(
      to.map((address) => withAccountSender({ ...content, to: address, channel: definition.channel, tags: [TEST_TAG] }, context)),
    );
    if (requests[0]) problems.push(...(await missingSenderProblems(requests[0], context)).map((one) => ({ ...one, field: 'content.from' })));
    const named = await findRecipients(requests, context);
    const reads = requests.map((request, i) => parseMessageRequest(request, context, named.contactOf(i)));
    for (const [i, request] of requests.entries())
      problems.push(
        ...(await internationalProblems(request, context)).map((one) => ({
          ...one,
          field: one.field === 'to' ? `to[${i}]` : `content.${one.field}`,
        })),
      );
    for (const [i, found] of named.problems) problems.push(...found.map((problem) => ({ ...problem, field: `to[${i}]` })));
    for (const [i, read] of reads.entries())
      if ('problems' in read)
        problems.push(...read.problems.map(({ field, ...rest }) => ({ ...rest, field: field === 'to' ? `to[${i}]` : `content.${field}` })));
    if (problems.length > 0) throw invalidRequest(problems);
    const messages: TestMessage[] = [];
    for (const [i, read] of reads.entries()) messages.push(await accept(context, read as ReadRequest, i));
    return { messages };
  },
});

async function accept(context: Context, read: ReadRequest, nth: number): Promise<TestMessage> {
  const id = context.newId('msg', nth);
  const passed = await checkAcceptanceGates(await completeRequest(read, context), id, context);
  const { accepted, content } = separateContent(passed.accepted, id, context.cause);
  if (content) await storeContent(content, accepted, context);
  const accept = { type: 'Accept', acceptance: { ...passed, accepted }, now: context.now } as const;
  const { state } = await context.decide(message, messageStream(id), accept, { assumeNew: true });
  return { id, to: accepted.to, status: state.status };
}
