import type { AnyRoute } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';
import { preferenceRoutes } from './preferences.js';
import { unsubscribeRoutes } from './unsubscribe.js';

/** Pages for readers, opened by the links in messages: without credential, without script. */
export const publicRoutes = (services: Services): AnyRoute[] => [...unsubscribeRoutes(services), ...preferenceRoutes(services)];
