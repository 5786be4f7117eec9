/** Read first by the suite of the engines (`npm run engines`): lets the contracts try the slow engines too. */
process.env.ENGINES = 'all';
