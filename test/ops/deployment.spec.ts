import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { Command } from 'commander';
import { healthPages } from '../../api/http/health.js';
import { type Config, loadConfig, unknownVariables, variables } from '../../ops/app/config/config.js';
import { registerCommands } from '../../ops/cli/register.js';
import { createMetrics } from '../../ops/monitoring/metrics.js';
import { type ComposeService, compose, type KubernetesObject, kubernetes, resolveVariables, text } from './deployment-files.js';

const SINGLE = 'docker-compose.yml';
const CLUSTER = 'deploy/cluster/docker-compose.yml';
const NGINX = 'deploy/cluster/nginx.conf';
const GUIDE = 'docs/operations.md';
const MANIFESTS = ['namespace', 'configuration', 'secret.example', 'api', 'worker', 'engines-setup'].map((name) => `deploy/kubernetes/${name}.yaml`);

/** Time limit of a graceful stop of the service. */
const STOP_SECONDS = 10;

const dockerfile = text('Dockerfile');
const image = Object.fromEntries(
  [...(/^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1]?.matchAll(/(\w+)=(\S+)/g) ?? [])].map(([, name, value]) => [name as string, value as string]),
);
const cluster = compose(CLUSTER);
const ours = ({ image: name }: ComposeService) => name === 'heliograph';
const objects = MANIFESTS.flatMap(kubernetes);
const find = (kind: string, name: string): KubernetesObject => {
  const found = objects.find((o) => o.kind === kind && o.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name}`);
  return found;
};
const podOf = (o: KubernetesObject) => o.spec.template.spec;

/** The environment of each process that these files start. */
const environments: Record<string, Record<string, string>> = { Dockerfile: image };
for (const [file, { services }] of [
  [SINGLE, compose(SINGLE)],
  [CLUSTER, cluster],
] as const)
  for (const [name, service] of Object.entries(services)) if (ours(service)) environments[`${file}: ${name}`] = { ...image, ...service.environment };
for (const name of ['heliograph-api', 'heliograph-worker']) {
  const [{ env = [], envFrom }] = podOf(find('Deployment', name)).containers;
  const given = envFrom.map(({ configMapRef, secretRef }) =>
    configMapRef ? find('ConfigMap', configMapRef.name).data : find('Secret', secretRef?.name ?? '').stringData,
  );
  environments[name] = Object.assign({ ...image }, ...given, Object.fromEntries(env.map((e) => [e.name, e.value])));
}
const configs = (): [string, Config][] => Object.entries(environments).map(([name, env]) => [name, loadConfig(resolveVariables(env))]);
const nodes = (): [string, Config][] => configs().filter(([name]) => /: (api|worker)-\d$|^heliograph-/.test(name));

describe('the files for deployment', () => {
  it('set only known settings, to allowed values', () => {
    const ofOtherPrograms = ['NODE_ENV', 'MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_'];
    const known = new Set([...Object.values(variables).map(({ name }) => name), ...ofOtherPrograms]);
    const strange = Object.entries(environments).flatMap(([file, env]) =>
      Object.keys(env)
        .filter((name) => !known.has(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(strange).to.deep.equal([]);
    for (const env of Object.values(environments)) expect(unknownVariables(env)).to.deep.equal([]);
    expect(configs()).to.have.length.above(8);
  });

  it('give every node of a cluster shared engines and shared secrets, and run each role twice', () => {
    expect(nodes().map(([name]) => name)).to.have.length(6);
    for (const [, config] of nodes()) {
      expect(config).to.include({ log: 'eventstoredb', views: 'mongodb' });
      expect(config.masterKey).to.not.equal(null);
      expect(config.operatorToken).to.not.equal(null);
      // With esdb+discover:// the client uses the first host only.
      expect(config.eventstoredbUrl).to.match(/^esdb:\/\/[^/?]*,[^/?]*,/);
      expect(config.mongodbUrl).to.match(/replicaSet=/);
    }
    const inCompose = nodes().filter(([name]) => name.startsWith(CLUSTER));
    for (const role of ['api', 'projections', 'processes'] as const)
      expect(
        inCompose.filter(([, config]) => config.roles.includes(role)),
        role,
      ).to.have.length(2);
  });

  it('take every secret of docker compose from a variable that make-secrets writes', () => {
    const wanted = new Set([...text(CLUSTER).matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    const made = new Set([...text('deploy/cluster/make-secrets').matchAll(/^secret (\w+)/gm)].map(([, name]) => name));
    expect([...wanted].sort()).to.deep.equal([...made].sort());
  });

  it('agree on ports', () => {
    const { PORT } = image;
    expect(dockerfile).to.match(new RegExp(`^EXPOSE ${PORT}$`, 'm'));
    expect(compose(SINGLE).services.heliograph?.ports?.[0]).to.match(new RegExp(`:${PORT}$`));
    const listening = /listen (\d+);/.exec(text(NGINX))?.[1];
    expect(cluster.services.proxy?.ports?.[0]).to.match(new RegExp(`:${listening}$`));
    const api = podOf(find('Deployment', 'heliograph-api')).containers[0];
    expect(api.ports).to.deep.equal([{ name: 'http', containerPort: Number(PORT) }]);
    expect(find('Service', 'heliograph').spec.ports[0]?.targetPort).to.equal('http');
    expect(find('Deployment', 'heliograph-api').spec.template.metadata.annotations?.['prometheus.io/port']).to.equal(PORT);
  });

  it('let the proxy balance over the API nodes only', () => {
    const behind = [...text(NGINX).matchAll(/^\s*server ([\w-]+):(\d+)/gm)].map(([, host, port]) => `${host}:${port}`);
    const answering = nodes().flatMap(([name, { roles, port }]) =>
      name.startsWith(CLUSTER) && roles.includes('api') ? [`${name.split(': ')[1]}:${port}`] : [],
    );
    expect(behind.sort()).to.deep.equal(answering.sort());
    for (const [, { trustProxy }] of nodes()) expect(trustProxy).to.equal(1);
  });

  it('probe only routes that exist', () => {
    const paths = healthPages({
      storesReachable: async () => {},
      storesWritable: async () => {},
      projections: async () => [],
      metrics: async () => '',
    }).map(({ path }) => path);
    const api = find('Deployment', 'heliograph-api');
    const { startupProbe, livenessProbe, readinessProbe } = podOf(api).containers[0];
    const probed = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet.path ?? '');
    probed.push(api.spec.template.metadata.annotations?.['prometheus.io/path'] ?? '');
    probed.push(
      ...[dockerfile, JSON.stringify(cluster.services.proxy?.healthcheck)].map((where) => /(?:PORT\}|:8080)(\/\w+)/.exec(where)?.[1] ?? ''),
    );
    expect(probed).to.have.length(6);
    expect(probed.filter((path) => !paths.includes(path))).to.deep.equal([]);
  });

  it('probe every node, and no job', () => {
    for (const name of ['worker-1', 'worker-2']) expect(cluster.services[name]?.healthcheck, name).to.equal(undefined);
    expect(cluster.services['log-rights']?.healthcheck?.disable).to.equal(true);
    const { livenessProbe } = podOf(find('Deployment', 'heliograph-worker')).containers[0];
    expect(livenessProbe?.httpGet.path).to.equal('/healthz');
  });

  it('give a node time to stop after it was taken out of the proxy', () => {
    for (const { services } of [compose(SINGLE), cluster])
      for (const [name, service] of Object.entries(services).filter(([name, s]) => ours(s) && name !== 'log-rights'))
        expect(Number.parseInt(service.stop_grace_period ?? '', 10), name).to.be.above(STOP_SECONDS);
    for (const name of ['heliograph-api', 'heliograph-worker']) {
      const { containers, terminationGracePeriodSeconds } = podOf(find('Deployment', name));
      const before = Number(containers[0].lifecycle?.preStop.exec.command[1] ?? 0);
      expect(terminationGracePeriodSeconds, name).to.be.above(STOP_SECONDS + before);
    }
  });

  it('refer only to existing objects in Kubernetes, and run nothing as root', () => {
    for (const o of objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')) {
      const { containers, volumes, securityContext, enableServiceLinks } = podOf(o);
      const [{ volumeMounts, securityContext: own }] = containers;
      expect(volumeMounts.map(({ name }) => name).sort()).to.deep.equal(volumes.map(({ name }) => name).sort());
      expect(volumeMounts.map(({ mountPath }) => mountPath)).to.include(image.HELIOGRAPH_DATA_DIR);
      expect(securityContext).to.include({ runAsNonRoot: true, runAsUser: Number(/^USER (\d+)/m.exec(dockerfile)?.[1]) });
      expect(own).to.include({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
      // Kubernetes sets HELIOGRAPH_PORT and similar variables for a service named heliograph.
      expect(enableServiceLinks).to.equal(false);
    }
    const labels = objects.filter(({ kind }) => kind === 'Deployment').map((o) => o.spec.template.metadata.labels);
    for (const o of objects.filter(({ kind }) => ['Service', 'PodDisruptionBudget', 'Deployment'].includes(kind))) {
      const selector = o.spec.selector as { matchLabels?: object };
      expect(labels, `${o.kind} ${o.metadata.name}`).to.deep.include(selector.matchLabels ?? selector);
    }
    const { kind, name } = find('HorizontalPodAutoscaler', 'heliograph-api').spec.scaleTargetRef;
    expect(find(kind, name)).to.be.an('object');
  });

  it('refer only to existing files and services in docker compose', () => {
    for (const [name, service] of Object.entries(cluster.services)) {
      const volumes = (service.volumes ?? []).map((v) => v.split(':')[0] as string);
      for (const volume of volumes.filter((v) => !v.startsWith('.'))) expect(cluster.volumes, name).to.have.property(volume);
      for (const file of volumes.filter((v) => v.startsWith('.'))) expect(existsSync(join(dirname(CLUSTER), file)), file).to.equal(true);
      for (const other of Object.keys(service.depends_on ?? {})) expect(cluster.services, name).to.have.property(other);
      for (const network of service.networks ?? []) expect(cluster.networks, name).to.have.property(network);
    }
  });

  it('copy every source folder into the image', () => {
    const allowed = [...text('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path as string);
    expect(allowed.filter((path) => !existsSync(path))).to.deep.equal([]);
    const built = (JSON.parse(text('deploy/tsconfig.json')) as { include: string[] }).include.map((path) => path.replace('../', ''));
    const layers = (JSON.parse(text('tsconfig.json')) as { include: string[] }).include.filter(
      (path) => path !== 'test' && path !== 'bench' && !path.startsWith('clients/') && !path.startsWith('dashboard/'),
    );
    expect(built).to.deep.equal(layers);
    expect(allowed).to.include.members(built);
  });

  it('build the dashboard into the image, whose packages are installed there', () => {
    const allowed = [...text('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path as string);
    expect(allowed).to.include.members(['dashboard', 'scripts/dashboard.mjs']);
    const steps = ['COPY dashboard/package.json ./dashboard/', 'RUN npm ci', 'node scripts/dashboard.mjs'].map((step) => dockerfile.indexOf(step));
    expect(steps).to.deep.equal([...steps].sort((a, b) => a - b));
    expect(steps).not.to.include(-1);
    const { workspaces } = JSON.parse(text('package.json')) as { readonly workspaces: readonly string[] };
    for (const workspace of workspaces) expect(dockerfile).to.include(`COPY ${workspace}/package.json`);
  });
});

describe('the operations guide', () => {
  const guide = text(GUIDE);
  const program = new Command('heliograph');
  registerCommands(program);

  /** The error of a command line, or null. */
  function problem(line: string): string | null {
    let command = program;
    for (const word of line.split(' ')) {
      const next = command.commands.find((c) => c.name() === word);
      if (!next) break;
      command = next;
    }
    if (command === program || command.commands.length > 0) return `no command '${line}'`;
    const options = [...line.matchAll(/(?<= )--[\w-]+/g)].map(([option]) => option);
    const strange = options.filter((option) => !command.options.some(({ long }) => long === option));
    return strange.length > 0 ? `${command.name()} has no ${strange.join(', ')}` : null;
  }

  it('names only existing commands and options, and so do the files', () => {
    const files = [GUIDE, SINGLE, CLUSTER, 'Dockerfile', 'deploy/kubernetes/kustomization.yaml', ...MANIFESTS];
    const lines = files
      .flatMap((file) =>
        [
          ...text(file)
            .replaceAll('\\\n', ' ')
            .matchAll(/(?<!-n )\bheliograph(?= +([a-z]+\b[^\n`#]*))/g),
        ].map(([, line]) => line as string),
      )
      .filter((line) => !line.startsWith('heliograph '));
    const arguments_ = [cluster.services['log-rights']?.command, podOf(find('Job', 'heliograph-engines-setup')).containers[0].args];
    lines.push(...arguments_.map((words) => words?.join(' ') ?? ''));
    for (const [line] of text(CLUSTER).matchAll(/(?<=run --rm api-1 ).*/g)) lines.push(line);
    expect(lines).to.have.length.above(15);
    expect(lines.map((line) => problem(line.replace(/ +/g, ' '))).filter((p) => p !== null)).to.deep.equal([]);
  });

  it('names only existing metrics', async () => {
    const exposed = await createMetrics().exposition();
    const there = new Set([...exposed.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name as string));
    // These appear with their first value.
    for (const name of ['position', 'lag_seconds', 'halted']) there.add(`heliograph_projection_${name}`);
    for (const name of ['waiting', 'due', 'parked']) there.add(`heliograph_todos_${name}`);
    const named = [...guide.matchAll(/`(heliograph_\w*[a-z])`/g)].map(([, name]) => name as string);
    expect(named).to.have.length.above(8);
    expect(named.filter((name) => !there.has(name))).to.deep.equal([]);
  });

  it('names only existing settings', () => {
    const known = new Set(Object.values(variables).map(({ name }) => name));
    const named = [...guide.matchAll(/\b(HELIOGRAPH_[A-Z_]+|(?:EVENTSTOREDB|MONGODB)_URL)\b/g)].map(([, name]) => name as string);
    expect(named.filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it('links only to existing files and headings', () => {
    const anchors = (markdown: string) =>
      [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
        (heading as string)
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
    const dead = [...guide.matchAll(/\]\(([^)\s]+)\)/g)].filter(([, target]) => {
      const [path = '', anchor] = (target as string).split('#');
      const file = path === '' ? GUIDE : join(dirname(GUIDE), path);
      return !existsSync(file) || (anchor !== undefined && !anchors(text(file)).includes(anchor));
    });
    expect(dead.map(([, target]) => target)).to.deep.equal([]);
  });
});
