import { message, messageStream } from '../../domain/messages/message.js';
import { loadSender } from '../../log/aggregates/load-sender.js';
import { hashId } from '../../log/runtime/ids.js';
import { escapeHtml } from '../lists/send-confirmation.js';
import { domainKeys, firstRefusal, refusalAtAcceptance } from '../messages/gates.js';
import { parseMessageRequest } from '../messages/parse-request.js';
import { withAccountSender } from '../messages/route-problems.js';
import type { Context } from '../runtime/command.js';
import { type AccountMailKind, accountMailTexts } from './account-mail-texts.js';

/** A mail with a link to a page that sets a password. */
interface AccountMail {
  readonly kind: AccountMailKind;
  /** What the link is about: the same kind and id make one mail, however often it is accepted. */
  readonly about: string;
  readonly to: string;
  readonly url: string;
}

/**
 * Accepts the mail as an ordinary transactional message of the account. Returns its id, or null where the account has no route that reaches
 * anybody by email: in the sandbox others could read the link.
 */
export async function acceptAccountMail(context: Context, { kind, about, to, url }: AccountMail): Promise<string | null> {
  const { account } = context.cause;
  if (!(await context.ports.accounts.reachesByEmail(account))) return null;
  const sender = await loadSender(context.log, account);
  const request = { to, channel: 'email', ...mailOf(kind, sender?.name ?? '', url, sender?.locale ?? 'en') };
  const read = parseMessageRequest(await withAccountSender(request, context), context);
  if ('problems' in read) return null;
  const { accepted } = read.acceptance;
  const acceptance = {
    ...read.acceptance,
    refused: await firstRefusal([accepted.to_key, ...domainKeys(accepted, context)], (key) => refusalAtAcceptance(accepted, key, context)),
  };
  const id = hashId('msg', account, kind, about);
  await context.decide(message, messageStream(id), { type: 'Accept', acceptance, now: context.now });
  return id;
}

/** `name`: of the account. */
function mailOf(kind: AccountMailKind, name: string, url: string, language: keyof typeof accountMailTexts) {
  const texts = accountMailTexts[language][kind];
  const sender = name.replace(/\p{Cc}+/gu, ' ').trim();
  const lines = [texts.ask(sender), texts.how, url, texts.ignore];
  const [ask, how, link, ignore] = lines.map(escapeHtml);
  return {
    subject: texts.subject(sender).slice(0, 200),
    message: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language}"><body><p>${ask}</p><p>${how}</p><p><a href="${link}">${link}</a></p><p>${ignore}</p></body></html>`,
    category: 'transactional' as const,
  };
}
