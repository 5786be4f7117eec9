import type { AnyRoute } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';
import { historyRoutes } from './history.js';
import { recordRoutes } from './record.js';

/** All routes of custom events. */
export const eventRoutes = (services: Services): AnyRoute[] => [...recordRoutes, ...historyRoutes(services)];
