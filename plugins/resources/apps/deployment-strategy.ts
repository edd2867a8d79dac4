import {
  age,
  FieldPath,
  forbiddenField,
  inject,
  invalid,
  notSupported,
  required,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {validateImmutable, validateNonNegativeMembers} from '../../shared/fields/field-rules.js';
import {isGiven} from '../../shared/fields/is-given.js';
import {sameValue} from '../../shared/fields/same-value.js';
import {isEmptySelector} from '../../shared/labels/label-selector.js';
import {selectorText} from '../../shared/labels/label-text.js';
import {dropDisabledPodFields} from '../../shared/pod/disabled-fields.js';
import {applyPodTemplateDefaults} from '../../shared/pod/pod-template.js';
import {validateCollisionCount, validateReplicaStatus} from '../../shared/workloads/replica-status.js';
import {templateCells} from '../../shared/workloads/template-cells.js';
import {validateEndlessTemplate, validateWorkloadSelector} from '../../shared/workloads/template-rules.js';
import {validateTemplateOf, templateSelectorOptions} from '../../shared/workloads/validate-template.js';
import type {Deployment, DeploymentSpec, DeploymentStrategySpec} from './apps-types.js';
import {validateDeploymentRollingUpdate} from './rolling-update-faults.js';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const strategies = ['RollingUpdate', 'Recreate'];
const counters = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'] as const;

/** Deployment: pods that are all alike, replaced step by step when their template changes. */
@strategy()
export class DeploymentStrategy implements ResourceStrategy<Deployment> {
  constructor(
    @inject(Tokens.Naming) private readonly naming: NamingProfile,
    @inject(Tokens.FeatureGates) private readonly gates: FeatureGates,
  ) {}
