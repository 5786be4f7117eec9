import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { preferenceRoutes } from './preferences.js';
import { unsubscribeRoutes } from './unsubscribe.js';

/** Pages for readers, opened by the links in messages: without credential, without script. */
export const publicRoutes = (services: Services): AnyRoute[] => [...unsubscribeRoutes(services), ...preferenceRoutes(services)];
