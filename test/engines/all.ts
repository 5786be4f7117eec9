/** Loaded first by `npm run engines`: enables the contracts over the slow engines. */
process.env.ENGINES = 'all';
