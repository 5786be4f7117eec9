import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { reportRoutes } from './reports.js';
import { type PushRouteParts, scriptRoutes } from './scripts.js';
import { deviceRoutes, subscriptionRoutes } from './subscriptions.js';

/** Push subscriptions of apps and browsers, what they report, and the scripts of browsers. */
export const pushRoutes = (services: Services, parts: PushRouteParts): AnyRoute[] => [
  ...deviceRoutes(services, parts.authenticator),
  ...subscriptionRoutes(services),
  ...reportRoutes(services),
  ...scriptRoutes(services, parts),
];
