/** The file to start from: docs/guides/moving-in.md has the same. */
export const TEMPLATE = [
  'import_reference,customer_phone,customer_name,customer_email,customer_reference,amount,frequency,interval,day,description,start_date,end_date',
  'INV-0042,07700 900123,Alex Fern,alex@example.com,CRM-1,49.99,monthly,,1,Broadband,,',
  'INV-0043,07700 900124,Bo Hill,bo@example.com,CRM-2,"1,200.00",yearly,,,Membership,01/12/2030,',
  '',
].join('\r\n');
