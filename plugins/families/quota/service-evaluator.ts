import type {AdmissionOperation, ApiObject} from '../../../sdk/index.js';
import type {Service} from '../../../sdk/types/core/v1.js';
import type {Amounts} from './amounts.js';
import {countName, type QuotaEvaluator} from './evaluator.js';

const count = countName('', 'services');
const nodePorts = 'services.nodeports';
const loadBalancers = 'services.loadbalancers';
const names = new Set([count, 'services', nodePorts, loadBalancers]);

/** Counts services, their node ports and load balancers. The type of a service may change. */
export class ServiceEvaluator implements QuotaEvaluator {
  readonly group = '';
  readonly resource = 'services';

  mayUseLess(): boolean {
    return true;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  counts(name: string): boolean {
    return names.has(name);
  }

  usage(object: ApiObject): Amounts {
    const {spec} = object as unknown as Service;
    const balanced = spec?.type === 'LoadBalancer';
    return {
      [count]: '1',
      services: '1',
      [nodePorts]: String(balanced || spec?.type === 'NodePort' ? portsOfNodes(spec) : 0),
      [loadBalancers]: balanced ? '1' : '0',
    };
  }

  missing(): undefined {
    return undefined;
  }

  isInScope(): boolean {
    return false;
  }
}

/** A load balancer may have no node ports; then only explicitly set ones count. */
function portsOfNodes({type, ports = [], allocateLoadBalancerNodePorts}: NonNullable<Service['spec']>): number {
  const isSpared = type === 'LoadBalancer' && allocateLoadBalancerNodePorts === false;
  return isSpared ? ports.filter(({nodePort}) => nodePort).length : ports.length;
}
