/**
 * The service as a team would build it with NestJS, TypeORM and class-validator: tables for orders, their services and the history
 * of each, validated bodies, a token per request, relations loaded for answers, and the indexes that its queries need. It has no
 * encryption, matching, events, notifications, rate limits or audit.
 */
import 'reflect-metadata'
import { createHash, randomUUID } from 'node:crypto'
import {
  Body,
  CanActivate,
  Controller,
  createParamDecorator,
  ExecutionContext,
  Get,
  Inject,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Post,
  Query,
  UnauthorizedException,
  UnprocessableEntityException,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm'
import { Type } from 'class-transformer'
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsEmail,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator'
import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  Repository,
} from 'typeorm'

@Entity('nest_tokens')
class Token {
  @PrimaryColumn('text') hash: string
  @Column('text') tenantId: string
  @Column('text') companyId: string
}

@Entity('nest_locations')
class Location {
  @PrimaryColumn('text') id: string
  @Column('text') tenantId: string
  @Column('text') companyId: string
  @Column('text') name: string
}

@Entity('nest_packages')
class Package {
  @PrimaryColumn('text') id: string
  @Column('text') tenantId: string
  @Column('text') name: string
  @Column('jsonb') services: { id: string; name: string; category: string; type: string }[]
}

@Entity('nest_orders')
@Index(['tenantId', 'companyId', 'createdAt', 'id'])
@Index(['tenantId', 'companyId', 'status', 'createdAt'])
@Index(['code'], { unique: true })
class Order {
  @PrimaryColumn('uuid') id: string
  @Column('text') tenantId: string
  @Column('text') companyId: string
  @Column('text') code: string
  @Column('text') status: string
  @Column('text') testReason: string
  @Column('jsonb') participant: object
  @Column('jsonb') requester: object
  @Column('jsonb') deliveryMethods: object
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date
  @ManyToOne(() => Location) @JoinColumn() location: Location
  @ManyToOne(() => Package) @JoinColumn() package: Package
  @OneToMany(() => OrderService, (service) => service.order, { cascade: true }) services: OrderService[]
}

@Entity('nest_order_services')
class OrderService {
  @PrimaryColumn('uuid') id: string
  @Index() @ManyToOne(() => Order, (order) => order.services) @JoinColumn() order: Order
  @Column('text') serviceId: string
  @Column('text') name: string
  @Column('text') category: string
  @Column('text') type: string
  @Column('text') status: string
  @OneToMany(() => StatusEntry, (entry) => entry.service, { cascade: true }) history: StatusEntry[]
}

@Entity('nest_status_entries')
class StatusEntry {
  @PrimaryColumn('uuid') id: string
  @Index() @ManyToOne(() => OrderService, (service) => service.history) @JoinColumn() service: OrderService
  @Column('text') status: string
  @Column('timestamptz') at: Date
}

class Reference {
  @IsString() @Length(1, 100) id: string
}
class Address {
  @IsString() @Length(1, 100) line1: string
  @IsOptional() @IsString() line2?: string
  @IsString() city: string
  @IsString() @Length(2, 2) state: string
  @IsString() @Length(5, 10) postalCode: string
}
class Identifier {
  @IsIn(['ssn', 'employeeId', 'driversLicense']) type: string
  @IsString() @Length(1, 50) value: string
}
class Participant {
  @IsString() @Length(1, 100) firstName: string
  @IsString() @Length(1, 100) lastName: string
  @IsISO8601() birthDate: string
  @IsEmail() email: string
  @IsString() @Length(7, 20) phone: string
  @ValidateNested() @Type(() => Address) address: Address
  @IsArray() @ArrayMaxSize(50) @ValidateNested({ each: true }) @Type(() => Identifier) identifiers: Identifier[]
}
class Requester {
  @IsEmail() email: string
  @IsString() firstName: string
  @IsString() lastName: string
  @IsString() phone: string
}
class DeliveryMethod {
  @IsIn(['email', 'mobile']) type: string
  @IsEmail() to: string
}
class Settings {
  @IsIn(['order', 'participant', 'requester']) schedulingOption: string
}
class CreateOrder {
  @IsArray()
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => DeliveryMethod)
  deliveryMethods: DeliveryMethod[]
  @ValidateNested() @Type(() => Reference) location: Reference
  @ValidateNested() @Type(() => Reference) package: Reference
  @ValidateNested() @Type(() => Participant) participant: Participant
  @ValidateNested() @Type(() => Requester) requester: Requester
  @ValidateNested() @Type(() => Settings) settings: Settings
  @IsIn(['preEmployment', 'random', 'postAccident']) testReason: string
}
class Page {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(10_000) page = 1
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) limit = 20
}

interface Authenticated {
  headers: { authorization?: string }
  token: Token
}

@Injectable()
class TokenGuard implements CanActivate {
  readonly #known = new Map<string, Token>()
  constructor(@Inject(getRepositoryToken(Token)) private readonly tokens: Repository<Token>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Authenticated>()
    const secret = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (!secret) throw new UnauthorizedException()
    const hash = createHash('sha256').update(secret).digest('hex')
    const token = this.#known.get(hash) ?? (await this.tokens.findOneBy({ hash }))
    if (!token) throw new UnauthorizedException()
    this.#known.set(hash, token)
    request.token = token
    return true
  }
}

const RELATIONS = { location: true, package: true, services: { history: true } } as const

@Injectable()
class OrdersService {
  constructor(
    @Inject(getRepositoryToken(Order)) private readonly orders: Repository<Order>,
    @Inject(getRepositoryToken(Location)) private readonly locations: Repository<Location>,
    @Inject(getRepositoryToken(Package)) private readonly packages: Repository<Package>,
  ) {}

  async create({ tenantId, companyId }: Token, body: CreateOrder): Promise<Order> {
    const [location, found] = await Promise.all([
      this.locations.findOneBy({ id: body.location.id, tenantId, companyId }),
      this.packages.findOneBy({ id: body.package.id, tenantId }),
    ])
    if (!location || !found) throw new UnprocessableEntityException('Unknown location or package')
    const at = new Date()
    const order = this.orders.create({
      id: randomUUID(),
      tenantId,
      companyId,
      code: randomUUID().slice(0, 18),
      status: 'ordered',
      testReason: body.testReason,
      participant: body.participant,
      requester: body.requester,
      deliveryMethods: body.deliveryMethods,
      location,
      package: found,
      services: found.services.map(({ id: serviceId, ...service }) => ({
        id: randomUUID(),
        serviceId,
        ...service,
        status: 'ordered',
        history: [{ id: randomUUID(), status: 'ordered', at }],
      })),
    })
    return this.orders.save(order)
  }

  async read({ tenantId, companyId }: Token, id: string): Promise<Order> {
    const order = await this.orders.findOne({ where: { id, tenantId, companyId }, relations: RELATIONS })
    if (!order) throw new NotFoundException()
    return order
  }

  async list({ tenantId, companyId }: Token, { page, limit }: Page): Promise<{ data: Order[]; total: number }> {
    const [data, total] = await this.orders.findAndCount({
      where: { tenantId, companyId },
      relations: RELATIONS,
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: (page - 1) * limit,
      take: limit,
    })
    return { data, total }
  }
}

const RequestToken = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Authenticated>().token,
)

@Controller('orders')
@UseGuards(TokenGuard)
class OrdersController {
  constructor(@Inject(OrdersService) private readonly orders: OrdersService) {}

  @Post()
  create(@Body() body: CreateOrder, @RequestToken() token: Token): Promise<object> {
    return this.orders.create(token, body).then(present)
  }

  @Get(':id')
  read(@Param('id') id: string, @RequestToken() token: Token): Promise<object> {
    return this.orders.read(token, id).then(present)
  }

  @Get()
  async list(@Query() query: Page, @RequestToken() token: Token): Promise<object> {
    const { data, total } = await this.orders.list(token, query)
    return { data: data.map(present), total }
  }
}

function present({
  id,
  code,
  status,
  testReason,
  createdAt,
  participant,
  location,
  package: ordered,
  services,
}: Order): object {
  return {
    id,
    code,
    status,
    testReason,
    createdAt,
    participant,
    location: { id: location.id, name: location.name },
    packages: [{ id: ordered.id, name: ordered.name }],
    services: services.map(({ order: _order, history, ...service }) => ({
      ...service,
      history: history.map(({ status: entry, at }) => ({ status: entry, at })),
    })),
  }
}

const ENTITIES = [Token, Location, Package, Order, OrderService, StatusEntry]

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'],
      entities: ENTITIES,
      synchronize: true,
      poolSize: 20,
    }),
    TypeOrmModule.forFeature(ENTITIES),
  ],
  controllers: [OrdersController],
  providers: [OrdersService, TokenGuard],
})
class App {}

const app = await NestFactory.create<NestFastifyApplication>(App, new FastifyAdapter(), { logger: ['error'] })
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }))
await seed()
await app.listen(0, '127.0.0.1')
process.stdout.write(`${JSON.stringify(app.getHttpServer().address())}\n`)

async function seed(): Promise<void> {
  const { TENANT: tenantId = '', COMPANY: companyId = '', SECRET: secret = '' } = process.env
  const hash = createHash('sha256').update(secret).digest('hex')
  await app.get<Repository<Token>>(getRepositoryToken(Token)).save({ hash, tenantId, companyId })
  const location = { id: `${companyId}-1`, tenantId, companyId, name: companyId }
  await app.get<Repository<Location>>(getRepositoryToken(Location)).save(location)
  const services = [
    { id: 'urine', name: 'Urine', category: 'drug', type: 'urine' },
    { id: 'hair', name: 'Hair', category: 'drug', type: 'hair' },
    { id: 'breath', name: 'Breath', category: 'alcohol', type: 'breath' },
  ]
  await app
    .get<Repository<Package>>(getRepositoryToken(Package))
    .save({ id: 'three', tenantId, name: 'Three', services })
}
