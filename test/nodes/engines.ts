/** Loaded first by this suite: several nodes need these engines. */
process.env.TEST_LOG = 'eventstoredb';
process.env.TEST_VIEWS = 'mongodb';
