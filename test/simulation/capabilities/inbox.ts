import type { Capability } from '../capability.js';
import { bodyOf, isSuccess, knownContacts, nameOf, pickOrNull } from '../recipients.js';
import type { Run } from '../run.js';
import type { Exchange } from '../world/caller.js';
import type { Random } from '../world/random.js';
import { InboxBrowser } from './inbox-browser.js';
import { inboxProblems } from './inbox-records.js';

const ACTIONS = ['seen', 'read', 'read', 'unread', 'archive', 'unarchive', 'click'] as const;
const ALL = ['seen-all', 'read-all', 'archive-all'] as const;
/** So many contacts get messages, so that their inboxes have some. */
const HOT = 4;
const MEAN_CONNECTION_MS = 60_000;
const MEAN_PAUSE_MS = 10_000;
const TOKEN_SECONDS = 86_400;

/** Messages come into the inboxes of a few contacts, who read them and follow them in browsers. */
export const inbox: Capability = {
  name: 'inbox',
  begin(run) {
    const random = run.world.random('inbox');
    const sent: Exchange[] = [];
    const acted: Exchange[] = [];
    const browsers: InboxBrowser[] = [];
    let nth = 0;
    const withContact = async (act: (id: string) => Promise<unknown>): Promise<void> => {
      const id = pickOrNull(random, knownContacts(run).slice(0, HOT));
      if (id) await act(id);
    };
    return {
      actions: [
        {
          name: 'send to an inbox',
          weight: 2.5,
          act: () =>
            withContact(async (to) => {
              for (let left = random.integer(1, 3); left > 0; left--)
                sent.push(await run.caller.send('POST', '/v1/messages/send', inboxMessage(random, run, to), `inbox-${++nth}`));
            }),
        },
        { name: 'look into an inbox', weight: 2.5, act: () => withContact(async (id) => void acted.push(...(await actIn(run, random, id)))) },
        {
          name: 'mark a whole inbox',
          weight: 0.3,
          act: () => withContact((id) => run.caller.send('POST', `/v1/inbox/messages/${random.pick(ALL)}?contact_id=${id}`)),
        },
        {
          name: 'follow an inbox',
          weight: 0.8,
          act: () =>
            withContact(async (contact_id) => {
              const { response } = await run.caller.send('POST', '/v1/inbox/tokens', { contact_id, ttl_seconds: TOKEN_SECONDS });
              if (response?.status !== 201 || !run.faulty) return;
              const browser = new InboxBrowser(run, response.body.contact_id, response.body.token);
              browsers.push(browser);
              for (let left = random.integer(2, 6); left > 0 && run.faulty && browser.refused === null; left--) {
                await browser.follow(random.duration(MEAN_CONNECTION_MS));
                await run.world.sleep(random.duration(MEAN_PAUSE_MS), 'browsers');
              }
            }),
        },
      ],
      check: (final) => inboxProblems(final, { sent, acted, browsers }),
    };
  },
};

const inboxMessage = (random: Random, run: Run, to: string): object => ({
  ...{ to, channel: 'in_app', title: nameOf(run), message: `Hello ${nameOf(run)}` },
  ...(random.chance(0.15) && { ttl_seconds: random.integer(60, 1_200) }),
});

/** What somebody does who looks at the list: one or two things with some of the items. */
async function actIn(run: Run, random: Random, contact_id: string): Promise<Exchange[]> {
  const listed = await run.caller.send('GET', `/v1/inbox/messages?contact_id=${contact_id}&filter=${random.chance(0.8) ? 'all' : 'archived'}`);
  const made: Exchange[] = [];
  for (let left = random.integer(1, 2); left > 0 && isSuccess(listed); left--) {
    const item = pickOrNull(random, bodyOf(listed).data as { readonly id: string }[]);
    if (item) made.push(await run.caller.send('POST', `/v1/inbox/messages/${item.id}/${random.pick(ACTIONS)}`));
  }
  return made;
}
