import { Cursors } from '../http/paging.js';
import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import type { SendingDomainChecks } from '../messages/sending-domains.js';
import { campaignActionRoutes } from './actions.js';
import { campaignResourceRoutes } from './campaigns.js';
import { numberRoutes } from './numbers.js';

/** Campaigns, what can be done with them, and their numbers. */
export function campaignRoutes(services: Services, domains: SendingDomainChecks): AnyRoute[] {
  const cursors = new Cursors(services.purposeKey('cursor'));
  return [...campaignResourceRoutes(services, cursors), ...campaignActionRoutes(), ...numberRoutes(services, cursors, domains)];
}
