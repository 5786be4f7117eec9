/** How much a fault suite does: `short` runs in .ci/run, `long` in .ci/everything. */
const SIZES = {
  FAULTS_KILLS: { short: 12, long: 200 },
  FAULTS_BULK_KILLS: { short: 4, long: 16 },
  FAULTS_CAMPAIGN_CONTACTS: { short: 2_000, long: 20_000 },
  FAULTS_CAMPAIGN_NODE_CONTACTS: { short: 0, long: 20_000 },
  FAULTS_CAMPAIGN_KILLS: { short: 3, long: 10 },
  FAULTS_CAMPAIGN_PAUSES: { short: 3, long: 10 },
  FAULTS_CARRIER_KILLS: { short: 4, long: 20 },
  FAULTS_CARRIER_MESSAGES: { short: 250, long: 2_000 },
  FAULTS_DISK_MESSAGES: { short: 500, long: 2_000 },
  FAULTS_DISK_FILLS: { short: 1, long: 4 },
  FAULTS_ENDPOINT_CONTACTS: { short: 100, long: 1_000 },
  FAULTS_ENDPOINT_KILLS: { short: 2, long: 10 },
  FAULTS_FUZZ_REQUESTS: { short: 5_000, long: 20_000 },
  FAULTS_HANGING_HOSTS: { short: 3_000, long: 30_000 },
  FAULTS_HANGING_KILLS: { short: 1, long: 10 },
  FAULTS_IMPORT_ROWS: { short: 4_000, long: 20_000 },
  FAULTS_IMPORT_KILLS: { short: 2, long: 5 },
  FAULTS_JOB_ROWS: { short: 4_000, long: 10_000 },
  FAULTS_JOB_KILLS: { short: 2, long: 4 },
  FAULTS_JOURNEY_ENROLLMENTS: { short: 100, long: 1_000 },
  FAULTS_JOURNEY_KILLS: { short: 3, long: 50 },
  FAULTS_JOURNEY_NODE_ENROLLMENTS: { short: 12, long: 500 },
  FAULTS_JOURNEY_NODE_KILLS: { short: 1, long: 20 },
  FAULTS_LARGE_BULKS: { short: 8, long: 40 },
  FAULTS_LARGE_EMAILS: { short: 5, long: 15 },
  FAULTS_LARGE_BYTES: { short: 1_000_000, long: 1_000_000 },
  FAULTS_LARGE_KILLS: { short: 1, long: 10 },
  FAULTS_INBOX_KILLS: { short: 3, long: 20 },
  FAULTS_SCORE_BUYERS: { short: 1_200, long: 10_000 },
  FAULTS_SCORE_KILLS: { short: 1, long: 8 },
  FAULTS_PUSH_KILLS: { short: 3, long: 20 },
  FAULTS_SEGMENT_EVENTS: { short: 200, long: 4_000 },
  FAULTS_SEGMENT_KILLS: { short: 3, long: 30 },
} as const;

/** The size from the environment: the variable of that name, or else the long one where FAULTS is `long`, or else the short one. */
export function sizeOf(name: keyof typeof SIZES): number {
  const { short, long } = SIZES[name];
  return Number(process.env[name] || (process.env.FAULTS === 'long' ? long : short));
}
