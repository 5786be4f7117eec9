/**
 * The production engines, loaded where they are used: their clients take longer to load than all else, and neither a
 * service on its embedded engine nor a command of the operator should wait for them.
 */
export const eventStoreDb = () => import('../engines/eventstoredb/index.js');
export const mongoDb = () => import('../engines/mongodb/index.js');
