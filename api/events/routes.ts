import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { customEventHistoryRoutes } from './history.js';
import { recordRoutes } from './record.js';

/** All routes of custom events. */
export const eventRoutes = (services: Services): AnyRoute[] => [...recordRoutes, ...customEventHistoryRoutes(services)];
