import type { AnyRoute } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';
import { deviceRoutes, subscriptionRoutes } from './subscriptions.js';

/** Push subscriptions of apps and browsers. */
export const pushRoutes = (services: Services): AnyRoute[] => [...deviceRoutes(services), ...subscriptionRoutes(services)];
