import { DomainError, notFound } from '../../domain/kernel/errors.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import type { Caller, Request, TokenRequest } from '../http/route.js';
import type { Services } from '../http/services.js';
import { hasInboxTokenFormat, INBOX_TOKEN_PURPOSE, InboxTokens } from './signed-token.js';

/** The contact whose inbox a request is about. */
export interface InboxOwner {
  readonly contact_id: string;
  /** The ids of the contact and of all that are merged into it, the root first. */
  readonly members: readonly string[];
}

/** Who may use an inbox: keys and users of the account, and whoever has a token of the contact. */
export class InboxAccess {
  readonly tokens: InboxTokens;

  constructor(private readonly services: Services) {
    this.tokens = new InboxTokens(services.purposeKey(INBOX_TOKEN_PURPOSE));
  }

  /** The caller of a token in the header; null where the request has none. Throws `unauthorized`, `token_expired`. */
  readonly inHeader = ({ headers }: TokenRequest): Caller | null => {
    const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    return token !== undefined && hasInboxTokenFormat(token) ? this.#callerOf(token) : null;
  };

  /** The same for streams, where browsers cannot set headers: also a token in the query. */
  readonly inQuery = (request: TokenRequest): Caller | null => {
    const token = new URLSearchParams(request.target.split('?')[1] ?? '').get('token');
    return token === null || token === '' ? this.inHeader(request) : this.#callerOf(token);
  };

  /** The account of the token that a request has in its header or query; null without a token that could be used. */
  accountOf(request: TokenRequest): string | null {
    try {
      return this.inQuery(request)?.account ?? null;
    } catch {
      return null;
    }
  }

  #callerOf(token: string): Caller {
    const grant = this.tokens.open(token);
    if (!grant) throw new DomainError('unauthorized', 'This is not a token of an inbox of this service.');
    const { account, contact_id, expires } = grant;
    if (expires * 1_000 <= this.services.clock.now()) throw new DomainError('token_expired', 'The token has expired. Get another one.');
    return { account, actor: { kind: 'public', id: contact_id }, scopes: [], role: null, contact: { id: contact_id, until: expires * 1_000 } };
  }

  /** The inbox that a request names, or that its token opens. Throws `not_found`, `contact_erased`, `invalid_parameter`. */
  async ownerOf({ caller, query }: Pick<Request<unknown, { readonly contact_id?: string }>, 'caller' | 'query'>): Promise<InboxOwner> {
    const id = query.contact_id ?? caller.contact?.id;
    if (id === undefined) {
      const message = 'Name the contact whose inbox you want.';
      throw new DomainError('invalid_parameter', message, { errors: [{ field: 'contact_id', code: 'required', message }] });
    }
    const owner = await this.#load(caller, caller.contact?.id ?? id);
    // The answer does not reveal whether another contact exists.
    if (id !== owner.contact_id && caller.contact && !owner.members.includes(id)) throw notFound('contact', id);
    return owner;
  }

  /** Whether the caller may use an item of this contact. */
  async mayUse(caller: Caller, contactId: string): Promise<boolean> {
    return caller.contact === undefined || (await this.#load(caller, caller.contact.id)).members.includes(contactId);
  }

  async #load({ account }: Caller, contact_id: string): Promise<InboxOwner> {
    const { unified } = await findContact(this.services.log, account, contact_id);
    return { contact_id, members: unified.members.map(({ id }) => id) };
  }
}
