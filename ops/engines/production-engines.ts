/**
 * The production engines, loaded on demand: their clients take longer to load than everything else, and the embedded
 * engine does not need them.
 */
export const eventStoreDb = () => import('../../engines/eventstoredb/index.js');
export const mongoDb = () => import('../../engines/mongodb/index.js');
