{ Digests as the documents' authors had them in native code, written anew: CRC-32 byte by byte and
  unrolled, MD5 step by step, and CRC-32C by the instruction of SSE 4.2, four bytes or eight at a
  time. }
unit native;
{$mode objfpc}{$H+}
{$asmmode intel}

interface

type
  TSum = function(Data: PByte; Len: SizeUInt): Cardinal;
  TMD5 = array[0..3] of Cardinal;

  TWay = record
    Name, Kind: string;
    Sum: TSum;
  end;

  TWays = array of TWay;

{ MD5 of RFC 1321. }
function MD5Of(Data: PByte; Len: SizeUInt): TMD5;

{ The checksums that this CPU can do, each with its implementation. }
function Ways: TWays;

implementation

uses SysUtils;

var
  { Of the reflected polynomial of IEEE 802.3. }
  Table: array[0..255] of Cardinal;

procedure MakeTable;
var
  I, Bit: Cardinal;
begin
  for I := 0 to 255 do
  begin
    Table[I] := I;
    for Bit := 1 to 8 do
      if Odd(Table[I]) then Table[I] := (Table[I] shr 1) xor $EDB88320
      else Table[I] := Table[I] shr 1;
  end;
end;

function Next(Crc: Cardinal; Value: Byte): Cardinal; inline;
begin
  Result := (Crc shr 8) xor Table[Byte(Crc) xor Value];
end;

{ As the compiler makes it. }
function ByteByByte(Data: PByte; Len: SizeUInt): Cardinal;
var
  Last: PByte;
begin
  Result := $FFFFFFFF;
  Last := Data + Len;
  while Data < Last do
  begin
    Result := Next(Result, Data^);
    Inc(Data);
  end;
  Result := not Result;
end;

{$ifdef cpux86_64}
{$ifdef unix}
{ In these functions rdi has the data at first, rsi the length; then rsi the data, rdi the table and
  edx the checksum. }

{ One byte a turn, counted down by two instructions. }
function DecJnz(Data: PByte; Len: SizeUInt): Cardinal; assembler; nostackframe;
asm
  mov r8, rsi
  mov rsi, rdi
  lea rdi, [rip + Table]
  mov edx, -1
  test r8, r8
  jz @done
@next:
  xor dl, byte ptr [rsi]
  movzx ecx, dl
  shr edx, 8
  xor edx, dword ptr [rdi + rcx*4]
  inc rsi
  dec r8
  jnz @next
@done:
  not edx
  mov eax, edx
end;

{ The same, counted down by the instruction loop. }
function LoopInstruction(Data: PByte; Len: SizeUInt): Cardinal; assembler; nostackframe;
asm
  mov rcx, rsi
  mov rsi, rdi
  lea rdi, [rip + Table]
  mov edx, -1
  jrcxz @done
@next:
  xor dl, byte ptr [rsi]
  movzx eax, dl
  shr edx, 8
  xor edx, dword ptr [rdi + rax*4]
  inc rsi
  loop @next
@done:
  not edx
  mov eax, edx
end;

{ Eight bytes a turn, five instructions each. }
function Unrolled(Data: PByte; Len: SizeUInt): Cardinal; assembler; nostackframe;
asm
  mov r9, rsi
  mov r8, rsi
  mov rsi, rdi
  lea rdi, [rip + Table]
  mov edx, -1
  and r9, 7
  shr r8, 3
  jz @rest
@next:
  mov rax, qword ptr [rsi]
  xor dl, al
  shr rax, 8
  movzx ecx, dl
  shr edx, 8
  xor edx, dword ptr [rdi + rcx*4]
  xor dl, al
  shr rax, 8
  movzx ecx, dl
  shr edx, 8
  xor edx, dword ptr [rdi + rcx*4]
  xor dl, al
  shr rax, 8
  movzx ecx, dl
  shr edx, 8
  xor edx, dword ptr [rdi + rcx*4]
  xor dl, al
  shr rax, 8
  movzx ecx, dl
  shr edx, 8
  xor edx, dword ptr [rdi + rcx*4]
  xor dl, al
  shr rax, 8
  movzx ecx, dl
  shr edx, 8
  xor edx, dword ptr [rdi + rcx*4]
  xor dl, al
  shr rax, 8
  movzx ecx, dl
  shr edx, 8
  xor edx, dword ptr [rdi + rcx*4]
  xor dl, al
  shr rax, 8
  movzx ecx, dl
  shr edx, 8
  xor edx, dword ptr [rdi + rcx*4]
  xor dl, al
  shr rax, 8
  movzx ecx, dl
  shr edx, 8
  xor edx, dword ptr [rdi + rcx*4]
  add rsi, 8
  dec r8
  jnz @next
@rest:
  test r9, r9
  jz @done
@byte:
  movzx eax, byte ptr [rsi]
  xor dl, al
  shr rax, 8
  movzx ecx, dl
  shr edx, 8
  xor edx, dword ptr [rdi + rcx*4]
  inc rsi
  dec r9
  jnz @byte
@done:
  not edx
  mov eax, edx
end;

{ CRC-32C, four bytes an instruction and two of them a turn: what 32-bit code can do. }
function Crc32cBy4(Data: PByte; Len: SizeUInt): Cardinal; assembler; nostackframe;
asm
  mov eax, -1
  mov r8, rsi
  and r8, 7
  shr rsi, 3
  jz @rest
@next:
  crc32 eax, dword ptr [rdi]
  crc32 eax, dword ptr [rdi + 4]
  add rdi, 8
  dec rsi
  jnz @next
@rest:
  test r8, r8
  jz @done
@byte:
  crc32 eax, byte ptr [rdi]
  inc rdi
  dec r8
  jnz @byte
@done:
  not eax
end;

{ CRC-32C, eight bytes an instruction. }
function Crc32cBy8(Data: PByte; Len: SizeUInt): Cardinal; assembler; nostackframe;
asm
  mov eax, -1
  mov r8, rsi
  and r8, 7
  shr rsi, 3
  jz @rest
@next:
  crc32 rax, qword ptr [rdi]
  add rdi, 8
  dec rsi
  jnz @next
@rest:
  test r8, r8
  jz @done
@byte:
  crc32 eax, byte ptr [rdi]
  inc rdi
  dec r8
  jnz @byte
@done:
  not eax
end;

{ The feature words of CPUID's leaf 1. }
function Features: Cardinal; assembler; nostackframe;
asm
  push rbx
  mov eax, 1
  cpuid
  mov eax, ecx
  pop rbx
end;
{$endif}
{$endif}

procedure FStep(var A: Cardinal; B, C, D, Word: Cardinal; Turn: Byte; Constant: Cardinal); inline;
begin
  A := RolDWord(A + ((B and C) or (not B and D)) + Word + Constant, Turn) + B;
end;

procedure GStep(var A: Cardinal; B, C, D, Word: Cardinal; Turn: Byte; Constant: Cardinal); inline;
begin
  A := RolDWord(A + ((B and D) or (C and not D)) + Word + Constant, Turn) + B;
end;

procedure HStep(var A: Cardinal; B, C, D, Word: Cardinal; Turn: Byte; Constant: Cardinal); inline;
begin
  A := RolDWord(A + (B xor C xor D) + Word + Constant, Turn) + B;
end;

procedure IStep(var A: Cardinal; B, C, D, Word: Cardinal; Turn: Byte; Constant: Cardinal); inline;
begin
  A := RolDWord(A + (C xor (B or not D)) + Word + Constant, Turn) + B;
end;

{$push}{$overflowchecks off}{$rangechecks off}
{ One block of 64 bytes. }
procedure Block(var State: TMD5; Words: PCardinal);
var
  A, B, C, D: Cardinal;
begin
  A := State[0];
  B := State[1];
  C := State[2];
  D := State[3];
  FStep(A, B, C, D, Words[0], 7, $D76AA478); FStep(D, A, B, C, Words[1], 12, $E8C7B756);
  FStep(C, D, A, B, Words[2], 17, $242070DB); FStep(B, C, D, A, Words[3], 22, $C1BDCEEE);
  FStep(A, B, C, D, Words[4], 7, $F57C0FAF); FStep(D, A, B, C, Words[5], 12, $4787C62A);
  FStep(C, D, A, B, Words[6], 17, $A8304613); FStep(B, C, D, A, Words[7], 22, $FD469501);
  FStep(A, B, C, D, Words[8], 7, $698098D8); FStep(D, A, B, C, Words[9], 12, $8B44F7AF);
  FStep(C, D, A, B, Words[10], 17, $FFFF5BB1); FStep(B, C, D, A, Words[11], 22, $895CD7BE);
  FStep(A, B, C, D, Words[12], 7, $6B901122); FStep(D, A, B, C, Words[13], 12, $FD987193);
  FStep(C, D, A, B, Words[14], 17, $A679438E); FStep(B, C, D, A, Words[15], 22, $49B40821);
  GStep(A, B, C, D, Words[1], 5, $F61E2562); GStep(D, A, B, C, Words[6], 9, $C040B340);
  GStep(C, D, A, B, Words[11], 14, $265E5A51); GStep(B, C, D, A, Words[0], 20, $E9B6C7AA);
  GStep(A, B, C, D, Words[5], 5, $D62F105D); GStep(D, A, B, C, Words[10], 9, $02441453);
  GStep(C, D, A, B, Words[15], 14, $D8A1E681); GStep(B, C, D, A, Words[4], 20, $E7D3FBC8);
  GStep(A, B, C, D, Words[9], 5, $21E1CDE6); GStep(D, A, B, C, Words[14], 9, $C33707D6);
  GStep(C, D, A, B, Words[3], 14, $F4D50D87); GStep(B, C, D, A, Words[8], 20, $455A14ED);
  GStep(A, B, C, D, Words[13], 5, $A9E3E905); GStep(D, A, B, C, Words[2], 9, $FCEFA3F8);
  GStep(C, D, A, B, Words[7], 14, $676F02D9); GStep(B, C, D, A, Words[12], 20, $8D2A4C8A);
  HStep(A, B, C, D, Words[5], 4, $FFFA3942); HStep(D, A, B, C, Words[8], 11, $8771F681);
  HStep(C, D, A, B, Words[11], 16, $6D9D6122); HStep(B, C, D, A, Words[14], 23, $FDE5380C);
  HStep(A, B, C, D, Words[1], 4, $A4BEEA44); HStep(D, A, B, C, Words[4], 11, $4BDECFA9);
  HStep(C, D, A, B, Words[7], 16, $F6BB4B60); HStep(B, C, D, A, Words[10], 23, $BEBFBC70);
  HStep(A, B, C, D, Words[13], 4, $289B7EC6); HStep(D, A, B, C, Words[0], 11, $EAA127FA);
  HStep(C, D, A, B, Words[3], 16, $D4EF3085); HStep(B, C, D, A, Words[6], 23, $04881D05);
  HStep(A, B, C, D, Words[9], 4, $D9D4D039); HStep(D, A, B, C, Words[12], 11, $E6DB99E5);
  HStep(C, D, A, B, Words[15], 16, $1FA27CF8); HStep(B, C, D, A, Words[2], 23, $C4AC5665);
  IStep(A, B, C, D, Words[0], 6, $F4292244); IStep(D, A, B, C, Words[7], 10, $432AFF97);
  IStep(C, D, A, B, Words[14], 15, $AB9423A7); IStep(B, C, D, A, Words[5], 21, $FC93A039);
  IStep(A, B, C, D, Words[12], 6, $655B59C3); IStep(D, A, B, C, Words[3], 10, $8F0CCC92);
  IStep(C, D, A, B, Words[10], 15, $FFEFF47D); IStep(B, C, D, A, Words[1], 21, $85845DD1);
  IStep(A, B, C, D, Words[8], 6, $6FA87E4F); IStep(D, A, B, C, Words[15], 10, $FE2CE6E0);
  IStep(C, D, A, B, Words[6], 15, $A3014314); IStep(B, C, D, A, Words[13], 21, $4E0811A1);
  IStep(A, B, C, D, Words[4], 6, $F7537E82); IStep(D, A, B, C, Words[11], 10, $BD3AF235);
  IStep(C, D, A, B, Words[2], 15, $2AD7D2BB); IStep(B, C, D, A, Words[9], 21, $EB86D391);
  Inc(State[0], A);
  Inc(State[1], B);
  Inc(State[2], C);
  Inc(State[3], D);
end;

function MD5Of(Data: PByte; Len: SizeUInt): TMD5;
var
  Tail: array[0..127] of Byte;
  Rest, Last: SizeUInt;
begin
  Result[0] := $67452301;
  Result[1] := $EFCDAB89;
  Result[2] := $98BADCFE;
  Result[3] := $10325476;
  Rest := Len;
  while Rest >= 64 do
  begin
    Block(Result, PCardinal(Data));
    Inc(Data, 64);
    Dec(Rest, 64);
  end;
  if Rest < 56 then Last := 64 else Last := 128;
  FillChar(Tail, SizeOf(Tail), 0);
  Move(Data^, Tail, Rest);
  Tail[Rest] := $80;
  PQWord(@Tail[Last - 8])^ := QWord(Len) shl 3;
  Block(Result, @Tail[0]);
  if Last = 128 then Block(Result, @Tail[64]);
end;
{$pop}

function Ways: TWays;

  procedure Add(const Name, Kind: string; Sum: TSum);
  begin
    SetLength(Result, Length(Result) + 1);
    Result[High(Result)].Name := Name;
    Result[High(Result)].Kind := Kind;
    Result[High(Result)].Sum := Sum;
  end;

begin
  Result := nil;
  Add('crc32b', 'bytewise', @ByteByByte);
  {$ifdef cpux86_64}
  {$ifdef unix}
  Add('crc32b', 'dec-jnz', @DecJnz);
  Add('crc32b', 'loop', @LoopInstruction);
  Add('crc32b', 'unrolled', @Unrolled);
  if Features and (1 shl 20) <> 0 then
  begin
    Add('crc32c', 'sse4.2x4', @Crc32cBy4);
    Add('crc32c', 'sse4.2x8', @Crc32cBy8);
  end;
  {$endif}
  {$endif}
end;

initialization
  MakeTable;
end.
