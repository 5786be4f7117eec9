import { expect } from 'chai';
import type { Reply, Service } from '../support/service.js';

interface UploadOptions {
  /** Of the import. */
  readonly options?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/** Sends a CSV of contacts as a form does. */
export async function uploadContacts(
  service: Service,
  csv: string | Buffer,
  { options = {}, headers = {}, path = '/v1/contacts/import' }: UploadOptions = {},
): Promise<{ status: number; body: Reply['body']; headers: Headers }> {
  const form = new FormData();
  form.append('options', JSON.stringify(options));
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'contacts.csv');
  const answer = await fetch(service.url + path, { method: 'POST', body: form, headers: { 'X-API-Key': service.key, ...headers } });
  return { status: answer.status, body: await answer.json(), headers: answer.headers };
}

/** The custom fields that the specs of imports write: a choice, a number and an identifier. */
export async function defineImportFields(service: Service): Promise<void> {
  for (const field of [
    { key: 'plan', type: 'string', options: ['free', 'pro'] },
    { key: 'score', type: 'number' },
    { key: 'customer', type: 'string', unique: true },
  ]) {
    expect((await service.api('POST', '/v1/custom-fields', { label: field.key, ...field })).status).to.equal(201);
  }
}
