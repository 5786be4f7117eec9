import { eventually } from '../../support/eventually.js';
import type { ServiceWithLinks } from '../../suppressions/links.js';
import type { Recorder } from './recorder.js';

const PUBLIC = { headers: { 'X-API-Key': '', Accept: 'text/html' } };

/** Uses every operation of forms once: a form is made, shown, submitted and confirmed. */
export async function forms(client: Recorder, { service }: ServiceWithLinks): Promise<void> {
  const consent = { text: 'I want offers by email.', version: '2026-01', channels: ['email'] };
  const fields = [
    { key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' },
    { key: 'name', type: 'text', label: 'First name', maps_to: 'first_name' },
  ];
  const { id, slug } = (await client.call('createForm', { body: { name: 'Newsletter', slug: 'newsletter', fields, consent, double_opt_in: true } }))
    .body;
  await client.call('updateForm', { path: { id }, body: { status: 'live', honeypot_field: 'website' } });
  await client.call('getForm', { path: { id } });
  await client.call('listForms', { query: { status: 'live' } });
  await client.call('listFormVersions', { path: { id } });
  for (const page of ['showForm', 'showFormFrame']) await client.call(page, { path: { slug } }, PUBLIC);
  await client.call('embedForm', { path: { slug } }, { headers: { 'X-API-Key': '' } });
  await client.call('startForm', { path: { id } }, { headers: { 'X-API-Key': '' } });
  const body = { fields: { email: 'form@sandbox.test', name: 'Ada' }, consent: true };
  await client.call('submitForm', { path: { id }, body }, { headers: { 'X-API-Key': '' } });
  const mail = await eventually('the confirmation mail', async () => {
    const { data } = (await service.api('GET', '/v1/sandbox/messages?to=form%40sandbox.test')).body;
    return data[0];
  });
  const [, token] = /forms\/confirm\/([\w-]+)/.exec(mail.text) as unknown as [string, string];
  await client.call('showFormConfirmation', { path: { token } }, PUBLIC);
  await client.call('confirmFormSubmission', { path: { token } }, PUBLIC);
  await client.call('listFormSubmissions', { path: { id } });
  await client.call('getFormStats', { path: { id }, query: { from: '2026-01-01', to: '2026-01-31' } });
  await client.call('exportFormSubmissions', { path: { id }, body: {} });
  await client.call('deleteForm', { path: { id } });
}
