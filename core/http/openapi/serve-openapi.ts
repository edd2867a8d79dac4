import {pathNotFound, type NamingProfile} from '../../../sdk/index.js';
import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import type {Exchange} from '../exchange.js';
export class OpenApi {
  constructor(readonly catalog: ResourceCatalog, readonly naming: NamingProfile) {}
  static owns(segments: readonly string[]): boolean { return segments[0] === 'openapi'; }
  async serve(_exchange: Exchange): Promise<void> { throw pathNotFound(); }
}
