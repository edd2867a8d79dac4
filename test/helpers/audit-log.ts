import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import type {ServerOptions} from '@orch-api/orch/testing';
import {tempFolder} from './temp-folder.js';
import {eventually} from './eventually.js';

/** An event as it stands in the log. */
export interface LoggedEvent {
  readonly kind: string;
  readonly apiVersion: string;
  readonly level: string;
  readonly auditID: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: {readonly username?: string; readonly groups?: readonly string[]};
  readonly impersonatedUser?: {readonly username: string; readonly groups: readonly string[]};
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: Readonly<Record<string, string>>;
  readonly responseStatus?: {
    readonly metadata: object;
    readonly status?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly code: number;
  };
  readonly requestObject?: {readonly [name: string]: unknown};
  readonly responseObject?: {readonly [name: string]: unknown};
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Writes a policy with these rules. */
export function policyFile(t: ExecutionContext, policy: object, group = 'audit.orch'): string {
  const file = join(tempFolder(t), 'policy.yaml');
  writeFileSync(file, JSON.stringify({apiVersion: `${group}/v1`, kind: 'Policy', ...policy}));
  return file;
}

/** Options of a server that records into a file of the test's own, and what the file has. */
export function auditedIntoFile(t: ExecutionContext, policy: object, flags: Readonly<Record<string, unknown>> = {}, group?: string) {
  const path = join(tempFolder(t), 'audit.log');
  const options: ServerOptions = {auditPolicyFile: policyFile(t, policy, group), flags: {'audit-log-path': path, ...flags}};
  const events = () => eventsIn(path);
  /** Those that a predicate holds for, once there are so many. */
  const wait = (isMeant: (event: LoggedEvent) => boolean, count = 1) =>
    eventually(
      () => events().filter(isMeant),
      (found) => found.length >= count,
    );
  return {path, options, events, wait};
}

/** The events of a file, a line each. */
export function eventsIn(path: string): LoggedEvent[] {
  const text = readFileSync(path, 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LoggedEvent);
}
