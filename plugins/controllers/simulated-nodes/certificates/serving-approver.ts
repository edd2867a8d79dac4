import {
  controller,
  ifFound,
  inject,
  Tokens,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../../sdk/index.js';
import {done, type WorkResult} from '../../../../sdk/controllers/index.js';
import {formatIp, parseIp} from '../../../../sdk/net/index.js';
import type {Node} from '../../../../sdk/types/unchecked/core/v1.js';
import {readRequest, type RequestContent} from '../../../families/certificates/request-content.js';
import {RequestController} from '../../../families/certificates/request-controller.js';
import {
  conditionOf,
  hasCertificate,
  signerOf,
  signingRequests,
  withCondition,
  type SigningRequest,
} from '../../../families/certificates/request-object.js';
import {signerFault} from '../../../families/certificates/signer-rules.js';
import {nodeOfUser} from '../../../families/nodes/node-of-user.js';
import {nodeType} from '../names.js';
import {isSimulated} from '../node/node-form.js';

const signer = 'nodeagent-serving';

/**
 * `simulated-csrapproving`: approves requests for serving certificates of simulated nodes, which Kubernetes leaves to somebody who knows the machines.
 * A node may ask for a certificate of its own names and addresses, and for nothing else; what others ask for, and real nodes, is left alone.
 */
@controller()
export class ServingApprover extends RequestController {
  readonly #resources: ResourceClient;
  readonly #logger: Logger;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    super({
      resources,
      naming,
      logger,
      figures: {metrics, name: 'simulated_certificate_approving'},
      concerns: (request) =>
        signerOf(request, naming) === signer &&
        nodeOf(request) !== undefined &&
        !hasCertificate(request) &&
        !conditionOf(request, 'Approved') &&
        !conditionOf(request, 'Denied'),
      work: (request) => this.#approve(request),
    });
    this.#resources = resources;
    this.#logger = logger;
  }

  async #approve(request: SigningRequest): Promise<WorkResult> {
    const node = (await ifFound(this.#resources.get(nodeType, '', nodeOf(request)!, {resourceVersion: '0'}))) as Node | undefined;
    if (!node || !isSimulated(node)) return done;
    const fault = await faultOf(request, node);
    if (fault !== undefined) {
      this.#logger.warn({request: request.metadata.name, reason: fault}, 'a certificate of a simulated node is not approved');
      return done;
    }
    const message = 'Auto approving serving certificate of a simulated node.';
    const approved = withCondition(request, {type: 'Approved', status: 'True', reason: 'AutoApproved', message});
    await this.#resources.update(signingRequests, '', approved, 'approval');
    return done;
  }
}

/** The node that asks; undefined if somebody else does. */
function nodeOf({spec}: SigningRequest): string | undefined {
  const {username = '', groups} = spec ?? {};
  return nodeOfUser({username, groups: groups ?? []}) || undefined;
}

/** Why a node may not have a certificate. */
async function faultOf({spec}: SigningRequest, node: Node): Promise<string | undefined> {
  let content: RequestContent;
  try {
    content = await readRequest(spec?.request ?? '');
  } catch (error) {
    return `the request cannot be read: ${(error as Error).message}`;
  }
  const fault = signerFault(signer, content, spec?.usages ?? []);
  if (fault !== undefined) return fault;
  if (content.commonName !== spec?.username) return 'the common name is not that of the node';
  const own = new Set([node.metadata.name, ...(node.status?.addresses ?? []).map(({address = ''}) => canonical(address))]);
  const other = content.names.find(({value}) => !own.has(canonical(value)));
  return other === undefined ? undefined : `${other.value} is neither a name nor an address of the node`;
}

/** An address in the one form that it has. */
function canonical(text: string): string {
  const ip = parseIp(text);
  return ip ? formatIp(ip) : text;
}
