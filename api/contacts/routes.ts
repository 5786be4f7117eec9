import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { bulkContactsRoute } from './bulk.js';
import { singleContactRoutes as oneByOne } from './contacts.js';
import { customFieldRoutes } from './custom-fields.js';
import { erasureRoutes } from './erasure.js';
import { exportRoute } from './export.js';
import { importRoutes } from './import.js';
import { importJobRoutes } from './import-jobs.js';
import { importPreviewRoutes } from './import-preview.js';
import { contactListRoutes } from './list.js';
import { mergingRoutes } from './merging.js';
import { timelineRoutes } from './timeline.js';

/** All routes of contacts and of their custom fields, imports, exports, events and consents. */
export const contactRoutes = (services: Services): AnyRoute[] => [
  ...contactListRoutes(services),
  ...oneByOne(services),
  ...mergingRoutes(services),
  ...timelineRoutes(services),
  ...erasureRoutes,
  ...customFieldRoutes(services),
  bulkContactsRoute(services),
  exportRoute,
  ...importRoutes(services),
  ...importPreviewRoutes(services),
  ...importJobRoutes(services),
];
