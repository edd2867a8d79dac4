import {problemsOf, type ProblemMaker} from '../kernel/kernel-error.js';

/** The problems of a server in addition to those of its kernel, in the same form. `docs/errors.md` explains both. Retired codes are never reused. */
export const serverErrors = {
  DUPLICATE_FLAG: 'the flag --{flag} is also defined by {other}',
  CONFIGURATION_UNREADABLE: 'the configuration file cannot be read: {detail}',
  CONFIGURATION_INVALID: '{detail}',
  ENCRYPTION_UNREADABLE: 'the encryption configuration cannot be read: {detail}',
  ENCRYPTION_INVALID: 'the encryption configuration: {detail}',
  ADMISSION_CONFIGURATION_UNREADABLE: 'the configuration of admission plugins cannot be read: {detail}',
  ADMISSION_CONFIGURATION_INVALID: 'the configuration of admission plugins: {detail}',
  AUDIT_POLICY_UNREADABLE: 'the audit policy cannot be read: {detail}',
  AUDIT_POLICY_INVALID: 'the audit policy: {detail}',
  TRACING_UNREADABLE: 'the tracing configuration cannot be read: {detail}',
  TRACING_INVALID: 'the tracing configuration: {detail}',
  UNKNOWN_FLAG: 'there is no flag --{flag}',
  FLAG_WITHOUT_MODE: '--{flag} has no effect without the authorization mode {mode}',
  RUNTIME_CONFIG_INVALID: '{text} is not a runtime setting; use KEY, KEY=true or KEY=false',
  SCHEMA_UNRESOLVED: 'the schema {reference} cannot be used: {detail}',
  CONTRIBUTION_INVALID: '{detail}',
  LIFETIME_INVALID: '{subject}: {detail}',
} as const;

/** Makes a problem from a code of the server's catalogue. */
export const serverProblem: ProblemMaker<typeof serverErrors> = problemsOf(serverErrors);
