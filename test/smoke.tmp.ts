import { startTestService } from '/work/main/server/test-support/service.ts';
const s = await startTestService();
try {
  const made = await s.api<any>('POST','/api/v1/schedules',{amount:{value:999,currency:'GBP'},frequency:{type:'daily'},customer:{type:'phone',value:'+447700900123'},description:'Gym membership'});
  console.log(await s.grant(made.body.id));
  const { sandbox, service } = s.running;
  const stat: any = {};
  const wrap = (o: any, name: string) => { const f = o[name].bind(o); stat[name]={n:0,ms:0}; o[name] = async (...a: any[]) => { const t=performance.now(); try { return await f(...a);} finally { stat[name].n++; stat[name].ms+=performance.now()-t; } } };
  wrap(sandbox!.partners.control,'setClock'); wrap(service.engine,'nextDue'); wrap(service.engine,'drain'); wrap(sandbox!.clock,'hold');
  const t3=performance.now();
  const b = await s.advance('P1M');
  console.log('month daily', performance.now()-t3, b.happened.length, stat);
} finally { await s.close(); }
