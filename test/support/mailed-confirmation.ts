import { eventually } from './eventually.js';
import type { Service } from './service.js';

/** Waits for a mail to the address in the sandbox that asks for a confirmation, whatever else is sent to it. Returns the path of its link. */
export async function mailedConfirmation(service: Service, address: string): Promise<string> {
  return eventually(`a mail to ${address} with a link to confirm`, async () => {
    const { data } = await service.ok('GET', `/sandbox/messages?to=${encodeURIComponent(address)}`);
    const links = (data as { text: string }[]).flatMap(({ text }) => /https?:\/\/\S+\/confirm\/\S+/.exec(text) ?? []);
    return links[0] && new URL(links[0]).pathname;
  });
}
