import { ERASED } from '../../../domain/kernel/erased.js';
import { type Content, type ContentEvent, type ContentRef, contentStream, joinParts } from '../../../domain/messages/content.js';
import type { EventLog } from '../../runtime/event-log.js';

/** The content of a message as it was accepted, read from its own stream where the event has only the small fields. */
export async function loadContent(log: EventLog, kept: { readonly content: Content; readonly content_ref?: ContentRef }): Promise<Content> {
  const { content, content_ref } = kept;
  if (!content_ref || content.message === ERASED) return content;
  const parts = (await log.read<ContentEvent>(contentStream(content_ref.id))) ?? [];
  return (
    joinParts(
      parts.map(({ event }) => event.data.text),
      content_ref,
    ) ?? (log.erased('MessageQueued').content as Content)
  );
}
