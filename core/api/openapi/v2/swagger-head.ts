import type {OpenApiNode} from '../openapi-input.js';
import type {SwaggerFrame} from './swagger-part.js';

/** The members of an OpenAPI v2 document other than paths and definitions. Client generators take the name of the credentials from here. */
export function swaggerHead({title, serverVersion}: SwaggerFrame): OpenApiNode {
  return {
    swagger: '2.0',
    info: {title, version: serverVersion},
    schemes: ['https'],
    securityDefinitions: {BearerToken: {type: 'apiKey', name: 'authorization', in: 'header', description: 'Bearer Token authentication'}},
    security: [{BearerToken: []}],
  };
}
