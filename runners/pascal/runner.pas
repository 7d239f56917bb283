{ hashdyno's runner for Free Pascal: its units md5, sha1, crc and adler, and native.pas. The
  protocol: docs/PROTOCOL.md. }
program runner;
{$mode objfpc}{$H+}

uses BaseUnix, Linux, SysUtils, md5, sha1, crc, adler, native;

const
  MaxPayload = 1 shl 30;
  MaxSpelled = 16 shl 10;
  { What the compiler's units have. }
  Names: array of string = ('adler32', 'crc32b', 'md2', 'md4', 'md5', 'sha1');
  Ours = 'native md5';

type
  TBytes = array of Byte;

var
  Message: TBytes;      { the job's, and an empty one has no bytes; many stand one after another }
  Starts: array of PByte;     { where each of many begins; none where the job has one message }
  Lens: array of SizeUInt;    { and its length }
  { The digest at hand, 'native sum' or 'native md5' for those of native.pas, 'empty', or none. }
  Current: string = '';
  Sum: TSum;              { the function of 'native sum' }
  Answer: TBytes;
  Piece: array[0..65535] of Byte;
  Taken: Integer = 0;
  Filled: Integer = 0;

procedure Keep(const Digest; Count: Integer);
begin
  SetLength(Answer, Count);
  Move(Digest, Answer[0], Count);
end;

{ Does the job; the nanoseconds. A loop each, so that the calls are as a programmer writes them. }
function Work(Calls: QWord): QWord;
var
  First, Last: TTimeSpec;
  I: QWord;
  Len: SizeUInt;
  Bytes: PByte;
  MD: TMD5Digest;
  Sha: TSHA1Digest;
  Own: TMD5;
  Found: Cardinal;
begin
  Len := Length(Message);
  Bytes := PByte(Message);
  { A pointer to something, even if it is to nothing's bytes. }
  if Len = 0 then Bytes := @Piece[0];
  Answer := nil;
  Found := 0;
  I := Calls;
  clock_gettime(CLOCK_MONOTONIC, @First);
  case Current of
    'empty': while I > 0 do Dec(I);
    'md2': while I > 0 do begin MD := TMD5Digest(MDBuffer(Bytes^, Len, MD_VERSION_2)); Dec(I); end;
    'md4': while I > 0 do begin MD := TMD5Digest(MDBuffer(Bytes^, Len, MD_VERSION_4)); Dec(I); end;
    'md5': while I > 0 do begin MD := TMD5Digest(MDBuffer(Bytes^, Len, MD_VERSION_5)); Dec(I); end;
    'sha1': while I > 0 do begin Sha := SHA1Buffer(Bytes^, Len); Dec(I); end;
    'crc32b': while I > 0 do begin Found := crc32(crc32(0, nil, 0), Bytes, Len); Dec(I); end;
    'adler32': while I > 0 do begin Found := adler32(1, Bytes, Len); Dec(I); end;
    'native sum': while I > 0 do begin Found := Sum(Bytes, Len); Dec(I); end;
    Ours: while I > 0 do begin Own := MD5Of(Bytes, Len); Dec(I); end;
  end;
  clock_gettime(CLOCK_MONOTONIC, @Last);
  case Current of
    'md2', 'md4', 'md5': Keep(MD, SizeOf(MD));
    'sha1': Keep(Sha, SizeOf(Sha));
    Ours: Keep(Own, SizeOf(Own));
    'crc32b', 'adler32', 'native sum': begin Found := NtoBE(Found); Keep(Found, 4); end;
  end;
  Result := QWord(Last.tv_sec - First.tv_sec) * 1000000000 + QWord(Last.tv_nsec)
    - QWord(First.tv_nsec);
end;

{ The same of many messages, into an array of digests made before. }
function WorkMany(Calls: QWord): QWord;
var
  First, Last: TTimeSpec;
  I: QWord;
  J: Integer;
  MDs: array of TMD5Digest;
  Shas: array of TSHA1Digest;
  Owns: array of TMD5;
  Sums: array of Cardinal;
begin
  Answer := nil;
  SetLength(MDs, Length(Lens));
  SetLength(Shas, Length(Lens));
  SetLength(Owns, Length(Lens));
  SetLength(Sums, Length(Lens));
  I := Calls;
  clock_gettime(CLOCK_MONOTONIC, @First);
  case Current of
    'md2': while I > 0 do begin
      for J := 0 to High(Lens) do MDs[J] := TMD5Digest(MDBuffer(Starts[J]^, Lens[J], MD_VERSION_2));
      Dec(I);
    end;
    'md4': while I > 0 do begin
      for J := 0 to High(Lens) do MDs[J] := TMD5Digest(MDBuffer(Starts[J]^, Lens[J], MD_VERSION_4));
      Dec(I);
    end;
    'md5': while I > 0 do begin
      for J := 0 to High(Lens) do MDs[J] := TMD5Digest(MDBuffer(Starts[J]^, Lens[J], MD_VERSION_5));
      Dec(I);
    end;
    'sha1': while I > 0 do begin
      for J := 0 to High(Lens) do Shas[J] := SHA1Buffer(Starts[J]^, Lens[J]);
      Dec(I);
    end;
    'crc32b': while I > 0 do begin
      for J := 0 to High(Lens) do Sums[J] := crc32(crc32(0, nil, 0), Starts[J], Lens[J]);
      Dec(I);
    end;
    'adler32': while I > 0 do begin
      for J := 0 to High(Lens) do Sums[J] := adler32(1, Starts[J], Lens[J]);
      Dec(I);
    end;
    'native sum': while I > 0 do begin
      for J := 0 to High(Lens) do Sums[J] := Sum(Starts[J], Lens[J]);
      Dec(I);
    end;
    Ours: while I > 0 do begin
      for J := 0 to High(Lens) do Owns[J] := MD5Of(Starts[J], Lens[J]);
      Dec(I);
    end;
  end;
  clock_gettime(CLOCK_MONOTONIC, @Last);
  for J := 0 to High(Sums) do Sums[J] := NtoBE(Sums[J]);
  case Current of
    'md2', 'md4', 'md5': Keep(MDs[0], Length(MDs) * SizeOf(TMD5Digest));
    'sha1': Keep(Shas[0], Length(Shas) * SizeOf(TSHA1Digest));
    Ours: Keep(Owns[0], Length(Owns) * SizeOf(TMD5));
    'crc32b', 'adler32', 'native sum': Keep(Sums[0], 4 * Length(Sums));
  end;
  Result := QWord(Last.tv_sec - First.tv_sec) * 1000000000 + QWord(Last.tv_nsec)
    - QWord(First.tv_nsec);
end;

function Timed(Calls: QWord): QWord;
begin
  if Length(Lens) = 0 then Result := Work(Calls) else Result := WorkMany(Calls);
end;

{ Lines with their ends. }
procedure Say(const Text: string);
begin
  Write(Text);
  Flush(Output);
end;

{ Some more input into Piece; false at its end. }
function Fill: Boolean;
begin
  Taken := 0;
  repeat
    Filled := FpRead(0, Piece, SizeOf(Piece));
  until (Filled >= 0) or (fpgeterrno <> ESysEINTR);
  Result := Filled > 0;
end;

function NextLine(out Line: string): Boolean;
begin
  Line := '';
  repeat
    if (Taken >= Filled) and not Fill then Exit(False);
    Inc(Taken);
    if Piece[Taken - 1] <> 10 then Line := Line + Chr(Piece[Taken - 1]);
  until Piece[Taken - 1] = 10;
  Result := True;
end;

procedure ReadPayload(Count: Integer);
var
  Have, Part: Integer;
begin
  SetLength(Message, Count);
  Have := 0;
  while Have < Count do
  begin
    if (Taken >= Filled) and not Fill then
    begin
      WriteLn(StdErr, 'the input ends in the middle of the payload');
      Halt(1);
    end;
    Part := Filled - Taken;
    if Part > Count - Have then Part := Count - Have;
    Move(Piece[Taken], Message[Have], Part);
    Inc(Taken, Part);
    Inc(Have, Part);
  end;
end;

{ A decimal number of the protocol: digits, nothing else. }
function Number(const Text: string; out Value: QWord): Boolean;
var
  Digit: Char;
begin
  Result := (Length(Text) > 0) and (Length(Text) <= 18);
  for Digit in Text do Result := Result and (Digit in ['0'..'9']);
  Result := Result and TryStrToQWord(Text, Value);
end;

{ Makes Current the digest by that implementation, or by the default where it is empty; false where
  there is no such thing. }
function Choose(const Name, Kind: string): Boolean;
var
  Other: string;
  Way: TWay;
begin
  Result := True;
  if (Kind = '') or (Kind = 'units') then
    for Other in Names do
      if Other = Name then
      begin
        Current := Name;
        Exit;
      end;
  if (Name = 'md5') and (Kind = 'native') then
  begin
    Current := Ours;
    Exit;
  end;
  for Way in Ways do
    if (Way.Name = Name) and ((Way.Kind = Kind) or (Kind = '')) then
    begin
      Current := 'native sum';
      Sum := Way.Sum;
      Exit;
    end;
  Result := False;
end;

{ Does the job once, and the line that answers; a long answer follows it. }
function Ready: string;
var
  Part: Byte;
begin
  Timed(1);
  if Length(Answer) > MaxSpelled then
  begin
    SetString(Result, PChar(@Answer[0]), Length(Answer));
    Exit('ready +' + IntToStr(Length(Answer)) + #10 + Result);
  end;
  Result := '';
  for Part in Answer do Result := Result + LowerCase(HexStr(Part, 2));
  if Result = '' then Result := '-';
  Result := 'ready ' + Result + #10;
end;

{ Reads the payload of many messages, whose lengths have commas between; false, and nothing read,
  where that is no list of lengths. }
function ReadMany(const List: string): Boolean;
var
  Words: array of string;
  Len, Sum: QWord;
  J: Integer;
begin
  Words := List.Split([',']);
  Sum := 0;
  Result := (List <> '') and (List[Length(List)] <> ',');
  for J := 0 to High(Words) do
  begin
    Result := Result and Number(Words[J], Len) and (Len <= MaxPayload)
      and (Sum + Len <= MaxPayload);
    if not Result then Exit;
    Inc(Sum, Len);
  end;
  if not Result then Exit;
  ReadPayload(Sum);
  SetLength(Lens, Length(Words));
  SetLength(Starts, Length(Words));
  Sum := 0;
  for J := 0 to High(Words) do
  begin
    Number(Words[J], Len);
    Lens[J] := Len;
    { A pointer to something, even if it is to nothing's bytes. }
    if Len = 0 then Starts[J] := @Piece[0] else Starts[J] := @Message[Sum];
    Inc(Sum, Len);
  end;
end;

function Job(const Line: string): string;
var
  Words: array of string;
  Kind: string;
  Len: QWord;
begin
  Current := '';
  Lens := nil;
  Result := 'error cannot do: ' + Line + #10;
  Words := Line.Split([' ']);
  if Line = 'job empty' then
  begin
    Message := nil;
    Current := 'empty';
    Exit(Ready);
  end;
  { Files are refused, but the path is read: else it would be the next line. }
  if (Length(Words) = 3) and (Words[1] = 'open') and Words[2].StartsWith('len=')
    and Number(Words[2].Substring(4), Len) and (Len <= MaxPayload) then ReadPayload(Len);
  if Length(Words) < 4 then Exit;
  if (Words[1] = 'many') and Words[3].StartsWith('lens=') then
  begin
    if not ReadMany(Words[3].Substring(5)) then Exit;
  end
  else
  begin
    if not Words[3].StartsWith('len=') then Exit;
    if not Number(Words[3].Substring(4), Len) or (Len > MaxPayload) then Exit;
    ReadPayload(Len);
    if Words[1] <> 'digest' then Exit;
  end;
  Kind := '';
  if (Length(Words) = 5) and Words[4].StartsWith('impl=') then Kind := Words[4].Substring(5)
  else if Length(Words) > 4 then Exit;
  if Choose(Words[2], Kind) then Result := Ready;
end;

procedure List;
var
  Name: string;
  Last: string = '';
  Way: TWay;
begin
  for Name in Names do
  begin
    Say('digest ' + Name + ' units');
    if Name = 'md5' then Say(' native');
    for Way in Ways do if Way.Name = Name then Say(' ' + Way.Kind);
    Say(#10);
  end;
  { What no unit has. }
  for Way in Ways do
    if Way.Name <> 'crc32b' then
    begin
      if Way.Name <> Last then Say('digest ' + Way.Name);
      Say(' ' + Way.Kind);
      Last := Way.Name;
    end;
  if Last <> '' then Say(#10);
  Say('end'#10);
end;

var
  Line: string;
  Calls: QWord;
begin
  Say('runner 1 freepascal ' + {$I %FPCVERSION%} + ' target=' + {$I %FPCTARGETCPU%} + #10);
  while NextLine(Line) do
    if Line = 'list' then List
    else if Line.StartsWith('job ') then Say(Job(Line))
    else if Current = '' then Say('error no job, or not understood: ' + Line + #10)
    else if Line = 'again' then Say(Ready)
    else if Line.StartsWith('run ') and Number(Line.Substring(4), Calls) then
      Say('ran ' + IntToStr(Timed(Calls)) + #10)
    else Say('error not understood: ' + Line + #10);
end.
