import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { analyticsRoute } from './analytics.js';
import { messageHistoryRoutes } from './history.js';
import { inboundRoutes } from './inbound.js';
import { sendRoutes } from './send.js';

export const messageRoutes = (services: Services): AnyRoute[] => [
  ...sendRoutes,
  ...messageHistoryRoutes(services),
  ...inboundRoutes(services),
  analyticsRoute(services),
];
