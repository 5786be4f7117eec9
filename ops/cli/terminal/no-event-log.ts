/** For a data folder without a log: a misspelled path must not become a new folder. */
export const noEventLog = (dataDir: string): Error => new Error(`There is no event log in ${dataDir}. Name the data folder with --data-dir.`);
