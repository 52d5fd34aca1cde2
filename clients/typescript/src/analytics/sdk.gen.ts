// Generated from the OpenAPI description by `npm run client:generate`. Do not edit.

import { client } from './client.gen.ts';
import type { Client, ClientMeta, Options as Options2, RequestResult, TDataShape } from './client/index.ts';
import type { GetDescriptionData, GetDescriptionErrors, GetDescriptionResponses, GetHealthData, GetHealthErrors, GetHealthResponses, GetNetworkData, GetNetworkErrors, GetNetworkResponses, GetVisitorData, GetVisitorErrors, GetVisitorResponses, PostConversionsData, PostConversionsErrors, PostConversionsResponses, PostOrdersData, PostOrdersErrors, PostOrdersResponses, PostReportsData, PostReportsErrors, PostReportsResponses, PostUsersData, PostUsersErrors, PostUsersResponses, PostVisitorAttributesData, PostVisitorAttributesErrors, PostVisitorAttributesResponses } from './types.gen.ts';

export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client?: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};

class HeyApiClient {
    protected client: Client;
    
    constructor(args?: {
        client?: Client;
    }) {
        this.client = args?.client ?? client;
    }
}

class HeyApiRegistry<T> {
    private readonly defaultKey = 'default';
    
    private readonly instances: Map<string, T> = new Map();
    
    get(key?: string): T {
        const instance = this.instances.get(key ?? this.defaultKey);
        if (!instance) {
            throw new Error(`No SDK client found. Create one with "new AttuneAnalytics()" to fix this error.`);
        }
        return instance;
    }
    
    set(value: T, key?: string): void {
        this.instances.set(key ?? this.defaultKey, value);
    }
}

export class AttuneAnalytics extends HeyApiClient {
    public static readonly __registry: HeyApiRegistry<AttuneAnalytics> = new HeyApiRegistry<AttuneAnalytics>();
    
    constructor(args?: {
        client?: Client;
        key?: string;
    }) {
        super(args);
        AttuneAnalytics.__registry.set(this, args?.key);
    }
    
    /**
     * Send conversions of js goals
     *
     * Up to 1000 conversions. Each is attributed to the last visit that started at or before it, at most 90 days earlier. Rejected ones are listed and do not stop the others: unknown_goal (the site has no enabled js goal with that code), unknown_visitor, too_old (there is no such visit). A batch may be sent again.
     */
    public postConversions<ThrowOnError extends boolean = true>(options: Options<PostConversionsData, ThrowOnError>): RequestResult<PostConversionsResponses, PostConversionsErrors, ThrowOnError> {
        return (options.client ?? this.client).post<PostConversionsResponses, PostConversionsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/conversions',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Send orders and refunds
     *
     * Up to 500 orders, attributed as conversions are. A refund belongs to the visit of its purchase, and reduces revenue and orders of the period in which its request arrives. Rejected ones are listed and do not stop the others: unknown_visitor, too_old (there is no visit within 90 days), invalid_products. A batch may be sent again.
     */
    public postOrders<ThrowOnError extends boolean = true>(options: Options<PostOrdersData, ThrowOnError>): RequestResult<PostOrdersResponses, PostOrdersErrors, ThrowOnError> {
        return (options.client ?? this.client).post<PostOrdersResponses, PostOrdersErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/orders',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Run a report
     *
     * Up to 5 dimensions, 10 metrics and 10,000 rows over at most 25 months. At most 2 reports at a time and 60 in any 60 seconds for each key. A report that takes over 30 seconds is run on 10 percent of the visitors instead (sampled: true); if that takes as long, the answer is 503. The details of a 422 have the codes unknown_dimension, unknown_metric, unknown_segment, incompatible (the metric cannot be computed with the dimensions of the request, including those of its filters), too_many, bad_date, bad_filter. Filter values are codes.
     */
    public postReports<ThrowOnError extends boolean = true>(options: Options<PostReportsData, ThrowOnError>): RequestResult<PostReportsResponses, PostReportsErrors, ThrowOnError> {
        return (options.client ?? this.client).post<PostReportsResponses, PostReportsErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/reports',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Change or read attributes of visitors
     *
     * Up to 100 visitors. A field that is sent replaces what the site sent before; other fields stay. What the users themselves have stated takes precedence. An element with only an identifier reads the attributes without changing them. The answer shows the attributes as they are now. unknown_visitor: there is no such visitor, user or fingerprint; pii_not_allowed: params have a personal-data key. Such keys are email, phone, telephone, tel, msisdn, contact, contacts, name, names, first_name, last_name, middle_name, fio, address, birth_date, date_of_birth, passport, имя, imya, контакт, контакты and similar ones in English, Russian and transliteration (such as dob, surname, snils, телефон, familia), whatever their case and separators. A part of a key is enough if it says whose data it is (user_email, billingAddress, client_tel). A key that is itself an e-mail address or a telephone number is refused too. Names of things are allowed: product_name.
     */
    public postVisitorAttributes<ThrowOnError extends boolean = true>(options: Options<PostVisitorAttributesData, ThrowOnError>): RequestResult<PostVisitorAttributesResponses, PostVisitorAttributesErrors, ThrowOnError> {
        return (options.client ?? this.client).post<PostVisitorAttributesResponses, PostVisitorAttributesErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/visitors/attributes',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * Read a visitor
     *
     * Attributes are those of the user that the visitor is linked to, if there is one.
     */
    public getVisitor<ThrowOnError extends boolean = true>(options: Options<GetVisitorData, ThrowOnError>): RequestResult<GetVisitorResponses, GetVisitorErrors, ThrowOnError> {
        return (options.client ?? this.client).get<GetVisitorResponses, GetVisitorErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/visitors/{visitor_id}',
            ...options
        });
    }
    
    /**
     * Read the network settings of the site
     *
     * Sites of one installation that take part share the attributes of a person, whom they recognise by hashes of e-mail or phone.
     */
    public getNetwork<ThrowOnError extends boolean = true>(options?: Options<GetNetworkData, ThrowOnError>): RequestResult<GetNetworkResponses, GetNetworkErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<GetNetworkResponses, GetNetworkErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/network',
            ...options
        });
    }
    
    /**
     * Send what the site knows about its users
     *
     * Up to 500 records. A malformed record rejects the whole request. A record whose params have a personal-data key at any depth is not stored: pii_not_allowed. Such keys are email, phone, telephone, tel, msisdn, contact, contacts, name, names, first_name, last_name, middle_name, fio, address, birth_date, date_of_birth, passport, имя, imya, контакт, контакты and similar ones in English, Russian and transliteration (such as dob, surname, snils, телефон, familia), whatever their case and separators. A part of a key is enough if it says whose data it is (user_email, billingAddress, client_tel). A key that is itself an e-mail address or a telephone number is refused too. Names of things are allowed: product_name. A batch may be sent again.
     */
    public postUsers<ThrowOnError extends boolean = true>(options: Options<PostUsersData, ThrowOnError>): RequestResult<PostUsersResponses, PostUsersErrors, ThrowOnError> {
        return (options.client ?? this.client).post<PostUsersResponses, PostUsersErrors, ThrowOnError>({
            security: [{ scheme: 'bearer', type: 'http' }],
            url: '/users',
            ...options,
            headers: {
                'Content-Type': 'application/json',
                ...options.headers
            }
        });
    }
    
    /**
     * State of the service
     *
     * degraded: the database cannot be reached, or hits wait too long before they count.
     */
    public getHealth<ThrowOnError extends boolean = true>(options?: Options<GetHealthData, ThrowOnError>): RequestResult<GetHealthResponses, GetHealthErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<GetHealthResponses, GetHealthErrors, ThrowOnError>({ url: '/health', ...options });
    }
    
    /**
     * Description of this API, OpenAPI 3.1
     */
    public getDescription<ThrowOnError extends boolean = true>(options?: Options<GetDescriptionData, ThrowOnError>): RequestResult<GetDescriptionResponses, GetDescriptionErrors, ThrowOnError> {
        return (options?.client ?? this.client).get<GetDescriptionResponses, GetDescriptionErrors, ThrowOnError>({ url: '/openapi.json', ...options });
    }
}
