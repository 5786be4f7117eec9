import { expect } from 'chai';
import { dashboardInBrowser } from './dashboard.js';
import { picture, violations } from './pages.js';

/** Texts that would do harm if a page read them as markup, and an attribute or element that each would make. */
const PAYLOADS = [
  '<script>hacked=1</script>',
  '"><script>hacked=1</script>',
  '<img src=x onerror=hacked=1>',
  '<svg onload=hacked=1>',
  `'"><svg/onload=hacked=1>`,
  '<iframe srcdoc="<script>parent.hacked=1</script>">',
  'javascript:hacked=1',
  '<a href="javascript:hacked=1">x</a>',
  `{{constructor.constructor('hacked=1')()}}`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the payload
  '${hacked=1}',
  '<details open ontoggle=hacked=1>',
  '<body onload=hacked=1>',
  '<input autofocus onfocus=hacked=1>',
  '</title><script>hacked=1</script>',
  '</textarea><img src=x onerror=hacked=1>',
  '<math><mi xlink:href="javascript:hacked=1">x</mi></math>',
  `<style>@import 'javascript:hacked=1';</style>`,
  '<object data="javascript:hacked=1">',
  '<video><source onerror=hacked=1></video>',
  '<b style="x:expression(hacked=1)">x</b>',
] as const;
/** Elements that the pages themselves have nowhere in their main part. */
const FOREIGN = 'main :is(script, iframe, img, object, video, math, style, b), main [onload], main [onerror], main [onfocus], main [ontoggle]';

interface Person {
  readonly id: string;
}

describe('the pages of people, whatever their texts and windows', () => {
  const dashboard = dashboardInBrowser();
  const contact = (fields: object): Promise<Person> => dashboard.service.ok('POST', '/contacts', fields);
  const made = async (path: string, body: object): Promise<string> => (await dashboard.service.ok('POST', path, body)).id;

  it('show names from right to left, very long ones and none, without a page that is wider than its window', async () => {
    const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(5);
    const people = [
      await contact({ email: 'rtl@sandbox.test', first_name: 'محمد', last_name: 'الخوارزمي', tags: ['عميل'] }),
      await contact({
        email: `${'very.long.'.repeat(6)}x@sandbox.test`,
        first_name: long,
        last_name: 'Überlang '.repeat(20).trim(),
        tags: [long.slice(0, 64)],
      }),
      await contact({ phone: '+14155550188' }),
    ];
    await made('/lists', { name: long.slice(0, 175) });
    const { page } = await dashboard.enter('/people', undefined, { viewport: { width: 360, height: 740 } });
    for (const path of ['/people', ...people.map(({ id }) => `/people/${id}`), '/people/lists']) {
      await page.goto(`${dashboard.service.url}/dashboard${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main [aria-busy]').first().waitFor({ state: 'detached' });
      const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(wide, `pixels that ${path} is too wide`).to.equal(0);
      await picture(page, `people-long-${path.split('/').at(-1)}`, { fullPage: true });
    }
  });

  it('have no problem of accessibility, light and dark, wide and narrow', async () => {
    const { id } = await contact({ email: 'axe@sandbox.test', phone: '+14155550166', first_name: 'Katherine', tags: ['nasa'] });
    await dashboard.service.ok('POST', `/contacts/${id}/consents`, {
      channel: 'email',
      purpose: 'marketing',
      status: 'granted',
      proof: { text: 'Yes' },
    });
    await dashboard.service.ok('POST', '/events', { contact: { id }, event: 'purchase', properties: { value: 3 } });
    const list = await made('/lists', { name: 'Accessible' });
    await dashboard.service.ok('POST', `/lists/${list}/contacts`, { contact_ids: [id] });
    const segment = await made('/segments', { name: 'Everybody here', rules: { type: 'attribute', field: 'email', op: 'exists' } });
    const tabs = ['timeline', 'messages', 'consent', 'lists', 'segments', 'journeys', 'scores', 'devices'].map((tab) => `/people/${id}?tab=${tab}`);
    const paths = ['/people', ...tabs, '/people/lists', `/people/lists/${list}`, '/people/segments', `/people/segments/${segment}`, '/people/fields'];
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1_440, 360]) {
        const { page } = await dashboard.enter('/people', undefined, { viewport: { width, height: 900 }, colorScheme });
        for (const path of paths) {
          await page.goto(`${dashboard.service.url}/dashboard${path}`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await page.locator('main [aria-busy]').first().waitFor({ state: 'detached' });
          expect(await violations(page), `${path}, ${colorScheme}, ${width}`).to.deep.equal([]);
          const name = path.replace(/\/(?:con|lst|seg)_[^?]*/, '/one').replaceAll(/[/?=]/g, '-');
          await picture(page, `people${name}-${width}-${colorScheme}`, { fullPage: true });
        }
        await page.context().close();
      }
    }
  });

  it('read no text as markup, whoever has written it', async () => {
    const { service } = dashboard;
    const victim = await contact({ email: 'victim@sandbox.test', first_name: 'Victim' });
    const names: string[] = [];
    for (const [place, text] of PAYLOADS.entries()) {
      names.push((await contact({ email: `payload${place}@sandbox.test`, first_name: text, last_name: text, tags: [text.slice(0, 64)] })).id);
      await made('/custom-fields', { key: `payload_${place}`, label: text, type: 'string' });
      const list = await made('/lists', { name: text, description: text });
      await made('/segments', { name: text, rules: { type: 'attribute', field: 'tags', op: 'contains', value: text } });
      await service.ok('POST', `/lists/${list}/contacts`, { contact_ids: [victim.id], source: text });
      await service.ok('POST', '/events', { contact: { id: victim.id }, event: text, properties: { [text.slice(0, 60)]: text } });
      await service.ok('POST', `/contacts/${victim.id}/consents`, {
        channel: 'email',
        purpose: 'marketing',
        status: 'granted',
        source: text,
        proof: { text },
      });
      await service.ok('POST', '/messages/send', {
        to: 'victim@sandbox.test',
        channel: 'email',
        subject: text,
        message: text,
        contact_id: victim.id,
      });
    }
    const custom_fields = Object.fromEntries(PAYLOADS.map((text, place) => [`payload_${place}`, text]));
    await service.ok('PATCH', `/contacts/${victim.id}`, { custom_fields, tags: PAYLOADS.map((text) => text.slice(0, 64)) });
    const { page, complaints } = await dashboard.enter('/people');
    page.on('dialog', () => complaints.push('a dialog was opened'));
    const look = async (path: string, texts: readonly string[]): Promise<void> => {
      await page.goto(`${service.url}/dashboard${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main [aria-busy]').first().waitFor({ state: 'detached' });
      for (const text of texts) await page.locator('main').getByText(text).first().waitFor({ state: 'attached' });
      expect(await page.locator(FOREIGN).count(), `elements of a payload on ${path}`).to.equal(0);
      expect(await page.evaluate('typeof hacked'), path).to.equal('undefined');
    };
    for (const [place, id] of names.entries()) await look(`/people/${id}`, [PAYLOADS[place] as string]);
    for (const text of PAYLOADS) await look(`/people?${new URLSearchParams({ tag: text.slice(0, 64) })}`, [text.slice(0, 64)]);
    await look(`/people/${victim.id}`, PAYLOADS);
    await look(`/people/${victim.id}?tab=messages`, PAYLOADS.slice(-8));
    await look(`/people/${victim.id}?tab=consent`, PAYLOADS);
    await look(`/people/${victim.id}?tab=lists`, PAYLOADS);
    await look(`/people/${victim.id}?tab=segments`, PAYLOADS);
    await look('/people/lists', PAYLOADS.slice(-8));
    await look('/people/segments', PAYLOADS.slice(-8));
    await look('/people/fields', PAYLOADS.slice(0, 8));
    expect(complaints).to.deep.equal([]);
  });
});
