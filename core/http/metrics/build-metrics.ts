import type {FeatureGates, MetricDeclaration, Metrics} from '../../../sdk/index.js';
import {gatesAtRelease} from '../../api/gates/gates-at-release.js';
import {versionInfo} from '../discovery/version-info.js';

/** The metrics of what runs: names and labels are those of Kubernetes. */
export const buildMetrics = {
  build: {
    name: 'kubernetes_build_info',
    help: 'What `/version` tells of the server; always 1.',
    stability: 'ALPHA',
    releases: {beta: '1.36'},
    labels: ['build_date', 'compiler', 'git_commit', 'git_tree_state', 'git_version', 'go_version', 'major', 'minor', 'platform'],
  },
  features: {
    name: 'kubernetes_feature_enabled',
    help: 'Feature gates of the release by name and stage (empty for what is stable): 1 for those that are on.',
    stability: 'ALPHA',
    releases: {beta: '1.28'},
    labels: ['name', 'stage'],
  },
} as const satisfies Record<string, MetricDeclaration>;

/** Registers the metrics, which are made with the first scrape: they do not change. @param build version of this server */
export function registerBuildMetrics(metrics: Metrics, gates: FeatureGates, release: string, build: string): void {
  const [info, features] = [metrics.gauge(buildMetrics.build), metrics.gauge(buildMetrics.features)];
  let isMade = false;
  metrics.collect(() => {
    if (isMade) return;
    isMade = true;
    const {buildDate, compiler, gitCommit, gitTreeState, gitVersion, goVersion, major, minor, platform} = versionInfo(release, build);
    info.with(buildDate, compiler, gitCommit, gitTreeState, gitVersion, goVersion, major, minor, platform).set(1);
    for (const [name, {setting, stage}] of gatesAtRelease(release))
      if (setting !== 'unknown')
        features.with(name, stage === 'stable' ? '' : (stage ?? '').toUpperCase()).set(gates.enabled(name) ? 1 : 0);
  });
}
