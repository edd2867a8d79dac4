import type {NamingProfile, ResourceClient} from '../../../sdk/index.js';
import type {EventRecorder} from '../../../sdk/controllers/index.js';
import type {SetFeatures} from './set-object.js';

export interface SetParts {
  readonly resources: ResourceClient;
  readonly naming: NamingProfile;
  readonly features: SetFeatures;
  readonly events: EventRecorder;
}
