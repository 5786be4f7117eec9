import Type from 'typebox';
import { type Erasure, erasure, erasureStream } from '../../domain/contacts/erasure.js';
import { notFound } from '../../domain/kernel/errors.js';
import { list, optional, text } from '../../domain/kernel/schema.js';
import { findOwnContact } from '../../log/aggregates/contacts/load-contact.js';
import { hashId } from '../../log/runtime/ids.js';
import { type Context, command } from '../runtime/command.js';
import { executeOnce } from '../runtime/idempotency.js';
import { completeLinksToTop, erasureIdOf, prepareErasure } from './erasing.js';

export interface RequestedErasure {
  readonly erasure_id: string;
  readonly status: 'running' | 'completed';
}

/**
 * Erases a contact with all that is merged into it, even if it is deleted. Once this is answered, its ids answer
 * `contact_erased` and nothing is sent to its addresses. A process manager destroys the keys, completes an interrupted erasure
 * and records the end. A repeat answers with the same erasure. Throws `not_found`.
 */
export const eraseContact = command({
  name: 'EraseContact',
  input: Type.Object({ contact_id: text }),

  handle({ contact_id }, context): Promise<RequestedErasure> {
    return executeOnce(
      context,
      async () => {
        for (let top = await completeLinksToTop(context, contact_id); ; ) {
          const erasure_id = erasureIdOf(top.id);
          const { status, requested_at } = await requestErasure(context, { erasure_id, contact_id: top.id, address_keys: [] });
          await prepareErasure(context, { erasure_id, contact_id: top.id, address_keys: [], requested_at });
          // Not a retry: a contact that was merged or released meanwhile belongs to another erasure, which is requested too.
          const now = await completeLinksToTop(context, contact_id);
          if (now.id === top.id) return { erasure_id, status };
          top = now;
        }
      },
      async () => {
        if (!(await findOwnContact(context.log, context.cause.account, contact_id))) throw notFound('contact', contact_id);
      },
    );
  },
});

/**
 * Erases the data of addresses that no contact has, by their HMACs. The same process manager completes it. `again` is an erasure
 * of another log to repeat here; a repeat is the same erasure.
 */
export const eraseAddresses = command({
  name: 'EraseAddresses',
  input: Type.Object({ address_keys: list(text, { minItems: 1 }), again: optional(text) }),

  handle({ address_keys, again }, context): Promise<RequestedErasure> {
    return executeOnce(context, async () => {
      const erasure_id = again === undefined ? context.newId('evt') : hashId('evt', 'erasure again', again);
      const { status } = await requestErasure(context, { erasure_id, contact_id: null, address_keys });
      return { erasure_id, status };
    });
  },
});

type ErasureRequest = { readonly erasure_id: string; readonly contact_id: string | null; readonly address_keys: string[] };

async function requestErasure(context: Context, asked: ErasureRequest): Promise<Pick<RequestedErasure, 'status'> & { requested_at: string }> {
  const { state } = await context.decide(erasure, erasureStream(asked.erasure_id), { type: 'Request', ...asked, now: context.now });
  if (state.status === 'none') throw new Error(`the erasure ${asked.erasure_id} is not requested`);
  return { status: statusOf(state), requested_at: state.requested_at };
}

const statusOf = ({ status }: Erasure): RequestedErasure['status'] => (status === 'completed' || status === 'swept' ? 'completed' : 'running');
