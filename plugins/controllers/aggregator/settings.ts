/** Settings of this plugin; `plugin.json` describes them. */
export interface AggregatorSettings {
  readonly aggregatorRouting: boolean;
  readonly proxyClientCertFile?: string;
  readonly proxyClientKeyFile?: string;
  readonly rejectForwardRedirect: boolean;
  readonly proxyToLoopback: boolean;
  readonly checkMilliseconds: number;
  readonly refreshMilliseconds: number;
}
