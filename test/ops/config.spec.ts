import { expect } from 'chai';
import { ConfigError, configHelp, configTable, loadConfig, unknownVariables, variables } from '../../ops/app/config/config.js';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
  } catch (e) {
    if (e instanceof ConfigError) return e.problems;
    throw e;
  }
  return [];
};

describe('configuration', () => {
  it('has a default for every setting', () => {
    const config = loadConfig({});
    expect(config).to.include({ port: 3000, host: '127.0.0.1', log: 'sqlite', views: 'sqlite', publicUrl: null, masterKey: null, logLevel: 'info' });
    expect(config).to.include({ headerPrefix: 'Service', legacyHeaderPrefix: 'Legacy', trustProxy: false });
    expect(config.roles).to.deep.equal(['api', 'projections', 'processes']);
    expect(config.webhookRetryDelays).to.deep.equal([30_000, 300_000, 1_800_000]);
    expect(config.webhookAllowCidrs).to.deep.equal([]);
    expect(config.dataDir).to.equal(`${process.cwd()}/data`);
  });

  it('treats an empty variable as absent', () =>
    expect(loadConfig({ PORT: '', HELIOGRAPH_PUBLIC_URL: ' ' })).to.include({ port: 3000, publicUrl: null }));

  it('parses every kind of value', () => {
    const config = loadConfig({
      PORT: '0',
      HELIOGRAPH_ROLES: 'projections, processes',
      HELIOGRAPH_PUBLIC_URL: 'https://msg.example.com/base/',
      HELIOGRAPH_WEBHOOK_RETRY_DELAYS: '100ms,2s',
      HELIOGRAPH_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8, ::1, 10.1.2.3',
      HELIOGRAPH_TRUST_PROXY: 'loopback, 10.0.0.0/8',
      HELIOGRAPH_RATE_LIMITS: '{"send":5000,"login":{"limit":50,"window":"5m"}}',
      HELIOGRAPH_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      HELIOGRAPH_ROUTES: '{"sms":["sandbox"]}',
    });
    expect(config.port).to.equal(0);
    expect(config.roles).to.deep.equal(['projections', 'processes']);
    expect(config.publicUrl).to.equal('https://msg.example.com/base');
    expect(config.webhookRetryDelays).to.deep.equal([100, 2_000]);
    expect(config.webhookAllowCidrs).to.deep.equal(['127.0.0.0/8', '::1/128', '10.1.2.3/32']);
    expect(config.trustProxy).to.deep.equal(['loopback', '10.0.0.0/8']);
    expect(config.rateLimits).to.deep.equal({ send: { limit: 5_000 }, login: { limit: 50, windowSeconds: 300 } });
    expect(config.masterKey).to.deep.equal(Buffer.alloc(32, 7));
    expect(config.routes).to.deep.equal({ sms: ['sandbox'] });
  });

  it('reads a size in bytes', () => {
    expect(loadConfig({}).bodyBudget).to.equal(64 * 1024 * 1024);
    expect(loadConfig({ HELIOGRAPH_BODY_BUDGET: '2gb' }).bodyBudget).to.equal(2 * 1024 ** 3);
  });

  it('accepts a number of proxy hops', () => expect(loadConfig({ HELIOGRAPH_TRUST_PROXY: '2' }).trustProxy).to.equal(2));

  it('names all invalid variables at once, with their values and the allowed values', () => {
    const problems = problemsOf({ PORT: 'http', LOG_LEVEL: 'loud', HELIOGRAPH_WEBHOOK_RETRY_DELAYS: '30s,soon' });
    expect(problems).to.deep.equal([
      "PORT='http' is not allowed; it is a whole number from 0 to 65535.",
      "HELIOGRAPH_WEBHOOK_RETRY_DELAYS='30s,soon' is not allowed ('soon' is not a duration); it is 1 to 20 durations such as `500ms`, `30s`, `5m`, `2h`, separated by commas.",
      "LOG_LEVEL='loud' is not allowed; it is `error`, `warn`, `info` or `debug`.",
    ]);
    expect(() => loadConfig({ PORT: 'http', LOG_LEVEL: 'loud' })).to.throw(/PORT='http'[\s\S]*LOG_LEVEL='loud'/);
  });

  const wrong: Record<string, readonly string[]> = {
    PORT: ['-1', '65536', '3000.5', '0x10'],
    HELIOGRAPH_LOG: ['postgres'],
    HELIOGRAPH_ROLES: ['api,api', 'web', ','],
    HELIOGRAPH_PUBLIC_URL: ['example.com', 'ftp://example.com', 'https://example.com/?a=1', 'https://u:p@example.com'],
    HELIOGRAPH_HEADER_PREFIX: ['My Service', '1st', 'A:B'],
    HELIOGRAPH_WEBHOOK_RETRY_DELAYS: ['30', '1 day', '-5s'],
    HELIOGRAPH_WEBHOOK_ALLOW_CIDRS: ['localhost', '10.0.0.0/33', '10.0.0.0/8,'],
    HELIOGRAPH_BODY_BUDGET: ['64', '63MB', '65GB', '1.5GB', 'much'],
    HELIOGRAPH_TRUST_PROXY: ['true', '0', '99', 'everyone'],
    HELIOGRAPH_RATE_LIMITS: [
      '5000',
      '{"send":0}',
      '{"send":{"limit":5,"window":"0s"}}',
      '{"send":{"limit":5,"window":"1500ms"}}',
      '{"sends":5}',
      '{send:5}',
    ],
    HELIOGRAPH_MASTER_KEY: ['short', Buffer.alloc(31).toString('base64'), 'not base64 at all, not even nearly so'],
    HELIOGRAPH_OPERATOR_TOKEN: ['short'],
    HELIOGRAPH_OPERATOR_ACCOUNTS: ['acme', 'acc_01JHM4B3W6TQ8X2N5R7Y9Z0A1', 'acc_01JHM4B3W6TQ8X2N5R7Y9Z0A1B,'],
    HELIOGRAPH_ROUTES: ['{"fax":["sandbox"]}', '{"sms":["pigeon"]}', '{"sms":[]}', '["sandbox"]'],
    LOG_LEVEL: ['verbose'],
  };
  for (const [name, values] of Object.entries(wrong)) {
    it(`rejects ${name} as ${values.map((value) => `'${value.slice(0, 30)}'`).join(', ')}`, () => {
      for (const value of values) {
        const problems = problemsOf({ [name]: value });
        expect(problems, value).to.have.length(1);
        expect(problems[0]).to.match(new RegExp(`^${name}\\b`));
      }
    });
  }

  it('requires the URL of an engine that runs on a server', () => {
    expect(problemsOf({ HELIOGRAPH_LOG: 'eventstoredb', HELIOGRAPH_VIEWS: 'mongodb' })).to.deep.equal([
      "HELIOGRAPH_LOG='eventstoredb' needs EVENTSTOREDB_URL, an esdb or esdb+discover address.",
      "HELIOGRAPH_VIEWS='mongodb' needs MONGODB_URL, a mongodb or mongodb+srv address.",
    ]);
    const mongodbUrl = 'mongodb://a:27017,b:27017/messaging?replicaSet=rs0';
    expect(loadConfig({ HELIOGRAPH_VIEWS: 'mongodb', MONGODB_URL: mongodbUrl })).to.include({ views: 'mongodb', mongodbUrl });
  });

  it('never prints a URL that may contain a password', () => {
    const [problem] = problemsOf({ MONGODB_URL: 'http://root:hunter2@db' });
    expect(problem).to.include('MONGODB_URL').and.not.include('hunter2');
  });

  it('never prints a secret', () => {
    const secrets = { HELIOGRAPH_MASTER_KEY: 'correct-horse-battery', HELIOGRAPH_OPERATOR_TOKEN: 'hunter2' };
    const text = problemsOf({ ...secrets, HELIOGRAPH_PUBLIC_URL: 'https://user:hunter2@example.com/' }).join('\n');
    expect(text).to.include('HELIOGRAPH_MASTER_KEY (its value is not shown)').and.include('HELIOGRAPH_PUBLIC_URL');
    expect(text).not.to.include('correct-horse-battery').and.not.include('hunter2');
  });

  it('reports variables that are probably misspelled', () => {
    expect(unknownVariables({ HELIOGRAPH_PROT: '1', HELIOGRAPH_LOG: 'sqlite', PATH: '/bin' })).to.deep.equal(['HELIOGRAPH_PROT']);
  });

  it('documents every variable in the table and in the help', () => {
    for (const { name } of Object.values(variables)) {
      expect(configTable()).to.include(`| \`${name}\` |`);
      expect(configHelp()).to.include(`${name} (`);
    }
  });

  it('parses its own defaults', () => {
    for (const { name, default: value } of Object.values(variables))
      if (value !== null) expect(problemsOf({ [name]: value }), name).to.deep.equal([]);
  });
});
