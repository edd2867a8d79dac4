import type {AdmissionController} from '../../sdk/contracts/admission.js';
import type {AuditSink} from '../../sdk/contracts/audit-sink.js';
import type {Authenticator} from '../../sdk/contracts/authenticator.js';
import type {Authorizer} from '../../sdk/contracts/authorizer.js';
import type {Controller} from '../../sdk/contracts/controller.js';
import type {Route} from '../../sdk/contracts/route.js';
import type {ResourceStrategy} from '../../sdk/contracts/strategy.js';
import type {VirtualResource} from '../../sdk/contracts/virtual-resource.js';
import type {ChainedWebhookCaller} from '../../sdk/contracts/webhook-caller.js';
import type {AdmissionOptions, AuthenticatorOptions, ContributionKind, OrderOptions} from '../../sdk/plugin/decorators.js';
import type {ControllerContribution as DeclaredController} from '../../sdk/plugin/manifest.js';

/** One class of a plugin, constructed. */
export interface Contribution<T extends object = object, O extends OrderOptions = OrderOptions> {
  readonly kind: ContributionKind;
  readonly plugin: string;
  /** Name of the export. */
  readonly class: string;
  /** Name that operators use: that of the manifest, or the class name. */
  readonly name: string;
  /** Place among its kind: lower comes first, equal ones by name. */
  readonly order: number;
  /** The options of the decorator. */
  readonly options: Readonly<O>;
  /** The single instance. For a lazy plugin it is created on first access, which throws a KernelError if that fails. */
  readonly instance: T;
}

export interface RouteContribution extends Contribution<Route> {
  /** Path, or a prefix when it ends with `/*`. */
  readonly path: string;
  readonly methods: readonly string[];
  readonly longRunning: boolean | undefined;
  readonly isPublic: boolean | undefined;
}

export interface ControllerContribution extends Contribution<Controller> {
  readonly declared: DeclaredController;
  /** Constructs one more instance: one that has been stopped is not started again. @throws KernelError (`CONSTRUCTION_FAILED`) */
  another(): Controller;
}

export interface AuthorizerContribution extends Contribution<Authorizer> {
  /** Name by which operators select and order it; undefined if it always runs, in the order of its class. */
  readonly mode: string | undefined;
}

export interface AdmissionContribution extends Contribution<AdmissionController, AdmissionOptions> {
  /** Whether `admit` or `validate` is an async function: such a controller may call others. */
  readonly isAsync: boolean;
}

/** Everything that the plugins contribute, constructed; each list sorted by order, authorizers then by their modes' places, then by name. */
export interface Contributions {
  readonly authenticators: readonly Contribution<Authenticator, AuthenticatorOptions>[];
  /** Only those that operators have selected. */
  readonly authorizers: readonly AuthorizerContribution[];
  /** Only those that operators have not turned off. */
  readonly admission: readonly AdmissionContribution[];
  readonly strategies: readonly Contribution<ResourceStrategy>[];
  readonly virtualResources: readonly Contribution<VirtualResource>[];
  readonly webhookCallers: readonly Contribution<ChainedWebhookCaller>[];
  readonly auditSinks: readonly Contribution<AuditSink>[];
  /** Only those that operators have not turned off. */
  readonly controllers: readonly ControllerContribution[];
  readonly routes: readonly RouteContribution[];
}
