/** Read first by the suite of many nodes: they are only possible over these engines, which here take their time. */
process.env.TEST_LOG = 'eventstoredb';
process.env.TEST_VIEWS = 'mongodb';
