/** A personal text as a state or a document holds it: in the sealed box of its event, or open, as it was stored before it was sealed. */
export type StoredText = string | { readonly box: string };

/** The source that an event names, opened or sealed. */
export const sourceOf = (data: { readonly source: string } | { readonly sealed: string }): StoredText =>
  'source' in data ? data.source : { box: data.sealed };
